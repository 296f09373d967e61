//! A token with the request that brought it, as a dependency takes it on every framework.

use ::actix_web::{App, HttpMessage, test as actix_test, web};
use ::axum::Router;
use ::poem::{EndpointExt, Route};
use ::rocket::fairing::AdHoc;
use ::rocket::http::Header;
use ::rocket::local::blocking::Client;
use ::salvo::{Depot, FlowCtrl, Writer};
use ::warp::Filter;
use tollgate::rocket05::Tollgate;
use tollgate::verify::{ClientCertificate, Presented, Verified, Verify, VerifyError};
use tollgate::warp04::security;
use tollgate::{BearerToken, Rejection, SecurityScopes, dependency, http_bearer, plan, secured};
use tollgate_tests::client::send;
use tower::ServiceExt;

use super::frameworks::{rocket::empty, salvo::serve};

#[http_bearer]
struct Api;

/// Shows everything that was presented.
#[dependency]
async fn shown(#[security(Api)] presented: Presented) -> Result<String, Rejection> {
    let headers = presented.headers().unwrap();
    assert!(!headers.contains_key("authorization"));
    let certificate = presented.certificate().unwrap().as_der();
    Ok(format!(
        "{} {} {:?} {:?} {:?}",
        presented.token().as_str(),
        presented.method().unwrap(),
        presented
            .target()
            .unwrap()
            .path_and_query()
            .unwrap()
            .as_str(),
        headers["dpop"].to_str().unwrap(),
        std::str::from_utf8(certificate).unwrap(),
    ))
}

const SHOWN: &str = r#"t0k3n GET "/a%20b?c=d" "proof" "DER""#;
const TARGET: &str = "/a%20b?c=d";
const LINES: [(&str, &str); 2] = [("authorization", "Bearer t0k3n"), ("DPoP", "proof")];

fn certificate() -> ClientCertificate {
    ClientCertificate::from_der(&b"DER"[..])
}

fn request<B>(body: B) -> http::Request<B> {
    let mut request = http::Request::get(TARGET).extension(certificate());
    for (name, value) in LINES {
        request = request.header(name, value);
    }
    request.body(body).unwrap()
}

#[tokio::test]
async fn over_an_http_request() {
    let (mut head, ()) = request(()).into_parts();
    let found = plan!(shown).resolve(&mut head).await;
    assert_eq!(found.unwrap(), SHOWN);
}

#[tokio::test]
async fn on_axum() {
    #[secured]
    async fn handler(#[security(shown)] shown: String) -> String {
        shown
    }
    let app = Router::new().route("/{name}", axum::routing::get(handler));
    let response = app.oneshot(request(axum::body::Body::empty())).await;
    let body = axum::body::to_bytes(response.unwrap().into_body(), 100).await;
    assert_eq!(body.unwrap(), SHOWN);
}

#[::actix_web::test]
async fn on_actix_web() {
    #[secured]
    async fn handler(#[security(shown)] shown: String) -> String {
        shown
    }
    let app = App::new().route("/{name}", web::get().to(handler));
    let app = actix_test::init_service(app).await;
    let mut request = actix_test::TestRequest::get().uri(TARGET);
    for line in LINES {
        request = request.insert_header(line);
    }
    let request = request.to_request();
    request.extensions_mut().insert(certificate());
    let body = actix_test::call_and_read_body(&app, request).await;
    assert_eq!(body, SHOWN);
}

#[tokio::test]
async fn on_poem() {
    #[secured]
    #[poem::handler]
    async fn handler(#[security(shown)] shown: String) -> String {
        shown
    }
    let app = Route::new().at("/:name", handler).data(certificate());
    let client = poem::test::TestClient::new(app);
    let mut request = client.get(TARGET);
    for (name, value) in LINES {
        request = request.header(name, value);
    }
    request.send().await.assert_text(SHOWN).await;
}

#[secured]
#[rocket::get("/<_>")]
async fn on_rocket_handler(#[security(shown)] shown: String) -> String {
    shown
}

#[test]
fn on_rocket() {
    let attach = AdHoc::on_request("certificate", |request, _| {
        request.local_cache(|| Some(certificate()));
        Box::pin(std::future::ready(()))
    });
    let app = empty().attach(attach).attach(Tollgate);
    let app = app.mount("/", rocket::routes![on_rocket_handler]);
    let client = Client::untracked(app).unwrap();
    let mut request = client.get(TARGET);
    for (name, value) in LINES {
        request.add_header(Header::new(name, value));
    }
    assert_eq!(request.dispatch().into_string().unwrap(), SHOWN);
}

#[secured]
#[salvo::handler]
async fn on_salvo_handler(#[security(shown)] shown: String) -> String {
    shown
}

#[salvo::handler]
async fn with_certificate(
    request: &mut salvo::Request,
    depot: &mut Depot,
    response: &mut salvo::Response,
    control: &mut FlowCtrl,
) {
    request.extensions_mut().insert(certificate());
    control.call_next(request, depot, response).await;
}

#[test]
fn on_salvo() {
    let router = salvo::Router::with_path("{name}");
    let address = serve(router.hoop(with_certificate).get(on_salvo_handler));
    let lines = LINES.map(|(name, value)| (name.to_owned(), value.into()));
    let response = send(address, "GET", TARGET, &lines, b"").unwrap();
    assert_eq!(response.body, SHOWN);
}

#[tokio::test]
async fn on_warp() {
    let app = warp::get().and(security(plan!(shown)));
    let mut request = warp::test::request().path(TARGET).extension(certificate());
    for (name, value) in LINES {
        request = request.header(name, value);
    }
    assert_eq!(request.filter(&app).await.unwrap(), SHOWN);
}

/// A verifier of tokens that are good for one host alone, which a bare token does not show.
struct OfHosts;

impl Verify for OfHosts {
    type Claims = ();

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<()>, VerifyError> {
        let token = token.into();
        let host = token.headers().and_then(|headers| headers.get("host"));
        let host = host.ok_or_else(VerifyError::misconfigured)?;
        if host.as_bytes() == token.token().as_str().as_bytes() {
            Verified::new((), []).with_scopes(scopes)
        } else {
            Err(VerifyError::invalid_token(scopes))
        }
    }
}

#[tokio::test]
async fn a_verifier_takes_a_token_alone_or_with_its_request() {
    let token = BearerToken::try_from("a.example").unwrap();
    let status = async |presented: Presented| {
        let verified = OfHosts.verify(presented, SecurityScopes::NONE).await;
        verified.map_or_else(|error| error.status().as_u16(), |_| 200)
    };
    assert_eq!(status((&token).into()).await, 500);
    let of_host = |host: &str| {
        let request = http::Request::get("/").header("host", host).body(());
        Presented::of(token.clone(), request.unwrap().into_parts().0)
    };
    assert_eq!(status(of_host("b.example")).await, 401);
    let presented = of_host("a.example");
    assert_eq!(status((&presented).into()).await, 200);
    assert!(presented.certificate().is_none());
}
