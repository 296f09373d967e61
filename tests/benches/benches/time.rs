//! Measures the time of the same work, next to peers in one run. The ratios count, not the times.

use std::hint::black_box;

use axum::Router;
use axum::body::Body;
use axum::routing::{get, post};
use axum_extra::TypedHeader;
use axum_extra::headers::Authorization;
use axum_extra::headers::authorization::Bearer;
use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion, criterion_group, criterion_main};
use doorward::Security;
use doorward::form::{FormBody, FormError};
use doorward_benches::bearer::{self, Password};
use doorward_benches::form::{self, Borrowed, Serde};
use doorward_benches::growth::{SHAPES, shaped};
use doorward_benches::ready;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Request, StatusCode};
use tower::ServiceExt;

criterion_group!(benches, bearer_tokens, hostile_forms, axum_handlers, axum_forms);
criterion_main!(benches);

fn bearer_tokens(criterion: &mut Criterion) {
    for (name, input) in bearer::inputs() {
        let mut group = criterion.benchmark_group(format!("bearer, {name}"));
        for contender in [bearer::LIMIT, bearer::BORROWED, bearer::OWNED, bearer::HEADERS] {
            group.bench_function(contender.name, |bencher| {
                bencher.iter(|| (contender.run)(&input));
            });
        }
        group.finish();
    }
}

/// Decodes 64 KiB of each shape that could be slow.
fn hostile_forms(criterion: &mut Criterion) {
    for (name, part) in SHAPES {
        let login = b"username=johndoe&".to_vec();
        let body = [login, shaped(part, 64 * 1024)].concat();
        let mut group = criterion.benchmark_group(format!("64 KiB of {name}"));
        for contender in [form::BORROWED, form::AXUM_FORM] {
            group.bench_function(contender.name, |bencher| {
                bencher.iter_batched_ref(
                    || form::Input::new(body.clone()),
                    |input| (contender.run)(input),
                    BatchSize::SmallInput,
                );
            });
        }
        group.finish();
    }
}

/// Measures a request through a router, without what makes both.
fn through_router(
    group: &mut BenchmarkGroup<'_, WallTime>,
    path: &str,
    app: &Router,
    request: impl Fn() -> Request<Body>,
) {
    group.bench_function(path, |bencher| {
        bencher.iter_batched(
            || (app.clone(), request()),
            |(app, request)| black_box(ready(app.oneshot(request))),
            BatchSize::SmallInput,
        );
    });
}

/// Measures a check in a handler, through a whole router.
fn axum_handlers(criterion: &mut Criterion) {
    let app: Router = Router::new()
        .route("/empty", get(async || StatusCode::OK))
        .route(
            "/by-hand",
            get(async |headers: HeaderMap| match bearer::by_hand(&headers) {
                Some(_) => StatusCode::OK,
                None => StatusCode::UNAUTHORIZED,
            }),
        )
        .route("/doorward", get(async |_: Security<Password>| StatusCode::OK))
        .route("/typed-header", get(async |_: TypedHeader<Authorization<Bearer>>| StatusCode::OK));
    for (case, authorization) in
        [("accepted", format!("Bearer {}", bearer::jwt())), ("refused", String::new())]
    {
        let headers = bearer::headers(&authorization);
        let mut group = criterion.benchmark_group(format!("axum, {case}"));
        for path in ["/empty", "/by-hand", "/doorward", "/typed-header"] {
            through_router(&mut group, path, &app, || {
                let mut request = Request::get(path).body(Body::empty()).expect("a request");
                request.headers_mut().clone_from(&headers);
                request
            });
        }
        group.finish();
    }
}

/// Measures the token route with a form.
fn axum_forms(criterion: &mut Criterion) {
    let app: Router = Router::new()
        .route(
            "/doorward",
            post(async |body: FormBody<2_000_000>| -> Result<StatusCode, FormError> {
                black_box(&body.decode::<Borrowed<'_>>()?.username);
                Ok(StatusCode::OK)
            }),
        )
        .route(
            "/axum-form",
            post(async |form: axum::Form<Serde>| {
                black_box(&form.username);
                StatusCode::OK
            }),
        );
    for (case, body) in
        [("typical", form::TYPICAL.to_owned()), ("4 KiB password", form::long_password())]
    {
        let mut group = criterion.benchmark_group(format!("axum, a form, {case}"));
        for path in ["/doorward", "/axum-form"] {
            through_router(&mut group, path, &app, || {
                Request::post(path)
                    .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                    .body(Body::from(body.clone()))
                    .expect("a request")
            });
        }
        group.finish();
    }
}
