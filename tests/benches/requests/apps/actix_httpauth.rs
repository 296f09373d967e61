//! actix-web-httpauth, with a middleware that verifies by hand.

mod by_hand;

use actix_web::dev::ServiceRequest;
use actix_web::web::{Data, ReqData};
use actix_web::{App, Error, HttpMessage as _, HttpServer, error, get};
use actix_web_httpauth::extractors::AuthenticationError;
use actix_web_httpauth::extractors::bearer::{BearerAuth, Config};
use actix_web_httpauth::middleware::HttpAuthentication;
use by_hand::{Claims, Keys};

async fn verify(
    request: ServiceRequest,
    credentials: BearerAuth,
) -> Result<ServiceRequest, (Error, ServiceRequest)> {
    let keys = request.app_data::<Data<Keys>>().expect("the keys of the app");
    match keys.verify(credentials.token()) {
        Some(claims) if claims.has_scope("items") => {
            request.extensions_mut().insert(claims);
            Ok(request)
        }
        Some(_) => Err((error::ErrorForbidden("insufficient scope"), request)),
        None => Err((AuthenticationError::from(Config::default()).into(), request)),
    }
}

#[get("/items")]
async fn items(caller: ReqData<Claims>) -> String {
    format!("the items of {}", caller.sub)
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let keys = Data::new(Keys::fetch(&std::env::var("ISSUER")?).await?);
    let port = std::env::var("PORT")?.parse()?;
    let server = HttpServer::new(move || {
        let auth = HttpAuthentication::bearer(verify);
        App::new().app_data(keys.clone()).wrap(auth).service(items)
    });
    server.workers(1).bind(("127.0.0.1", port))?.run().await?;
    Ok(())
}
