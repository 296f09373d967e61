//! actix-web 4.

use actix_web::web::{self, Bytes, Data, Json, get, post, put, scope};
use actix_web::{App, HttpResponse, HttpServer, Route};
use doorward::actix_web4::Live;
use doorward::openapi::Json as Description;
use doorward::{declared, layer};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::prelude::*;

fn credential<S: Scheme<Credential: Shown>>() -> Route {
    credential_at::<S>(get())
}

fn credential_at<S: Scheme<Credential: Shown>>(route: Route) -> Route {
    route.to(async |Security(found): Security<S>| Json(json!({ "credential": found.shown() })))
}

fn attributes<T: Attributes + 'static>() -> Route {
    post().to(async |PasswordForm(form): PasswordForm<T>| Json(form.attributes()))
}

fn attributes_or_faults<T: Attributes + 'static>() -> Route {
    post().to(async |form: Result<PasswordForm<T>, FormError>| match form {
        Ok(PasswordForm(form)) => HttpResponse::Ok().json(form.attributes()),
        Err(error) => HttpResponse::UnprocessableEntity().json(json!({ "faults": faults(&error) })),
    })
}

own_user!(actix_web::http::Method);
object!(id: actix_web::web::Path<String> => &id);

handlers!(handler);
plain_handlers!();

first!(json: web::Path<u32>, web::Query<Number>, Json<Number>);
first!(form: web::Path<u32>, web::Query<Number>, web::Form<Number>);
first!(password: web::Path<u32>, web::Query<Number>, PasswordForm<OAuth2PasswordRequestForm>);

async fn by_hand(found: Result<Security<Password>, Rejection>) -> Json<Value> {
    Json(match found {
        Ok(Security(token)) => json!({ "credential": token.shown() }),
        Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
    })
}

#[secured(jwt::user)]
async fn events(every: web::Query<live::Every>, live: Live) -> HttpResponse {
    let events = live.every(every.into_inner().into()).around(live::ticks());
    let events = events.map(|event| event.map(Bytes::from));
    HttpResponse::Ok().content_type("text/event-stream").streaming(events)
}

async fn say(path: web::Path<(String, String)>) -> HttpResponse {
    let (word, user) = path.into_inner();
    match live::say(&word, user) {
        true => HttpResponse::NoContent().finish(),
        false => HttpResponse::NotFound().finish(),
    }
}

async fn grant_or_error(form: Result<TokenRequest<Grant>, TokenError>) -> HttpResponse {
    match form {
        Ok(form) => HttpResponse::Ok().json(form.shown()),
        Err(error) => HttpResponse::UnprocessableEntity().json(shown_error(&error)),
    }
}

async fn openapi(description: Data<Description>) -> Json<Data<Description>> {
    Json(description)
}

pub(crate) fn serve(
    listener: TcpListener,
    verifiers: opaque::Verifiers,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let description = Data::new(conformance()?);
    let metadata = rfc::metadata()?;
    let app = move || {
        let mut app = App::new()
            .app_data(description.clone())
            .app_data(Shared::new(OneToken))
            .route("/form", attributes::<OAuth2PasswordRequestForm>())
            .route("/form-strict", attributes::<OAuth2PasswordRequestFormStrict>())
            .route("/form-faults", attributes_or_faults::<OAuth2PasswordRequestForm>())
            .route("/form-strict-faults", attributes_or_faults::<OAuth2PasswordRequestFormStrict>())
            .route("/client", post().to(found_client))
            .route("/grant", post().to(grant))
            .route("/grant-or-error", post().to(grant_or_error))
            .route("/revoke", post().to(revoke))
            .route("/own", get().to(own))
            .route("/guarded", get().to(guarded))
            .route("/by-hand", get().to(by_hand))
            .route("/visit", get().to(visit))
            .route("/act/read/{id}", get().to(act_read))
            .route("/act/change/{id}", put().to(act_change))
            .route("/format/me", get().to(format_me))
            .service(scope("/users").route("/reports", get().to(reports)))
            .service(metadata.clone())
            .route("/openapi.json", get().to(openapi));
        macro_rules! first_routes {
            ($($name:ident)*) => {$(
                let layered = web::resource("/layer/{number}")
                    .wrap(layer!(waited))
                    .route(post().to(declared($name::layer)));
                let first = scope(concat!("/first/", stringify!($name)))
                    .route("/guard/{number}", post().to(declared($name::guard)))
                    .route("/parameter/{number}", post().to(declared($name::parameter)))
                    .route("/value/{number}", post().to(declared($name::value)))
                    .service(layered);
                app = app.service(first);
            )*};
        }
        first_routes!(json form password);
        macro_rules! route {
            ($path:literal, $name:ident, $scheme:ident) => {
                app = app
                    .route($path, credential::<credentials::$scheme>())
                    .route($path, credential_at::<credentials::$scheme>(post()));
            };
        }
        for_each_credential!(route);
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                app = app.route($path, get().to($name));
            };
        }
        for_each_plan!(route);
        for_each_challenged!(route);
        if let Some(tokens) = &verifiers.jwt {
            app = app.app_data(tokens.clone());
            for_each_verified!(route);
            app = app.route("/live", get().to(events)).route("/live/{word}/{user}", post().to(say));
        }
        if let Some(tokens) = &verifiers.opaque {
            app = app.app_data(tokens.clone());
            for_each_opaque!(route);
        }
        if let Some(tokens) = &verifiers.dpop {
            app = app.app_data(tokens.clone());
            for_each_bound!(route);
        }
        app
    };
    let server = HttpServer::new(app).workers(2).listen(listener)?;
    actix_web::rt::System::new().block_on(server.run())?;
    Ok(())
}
