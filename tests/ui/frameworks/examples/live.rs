use doorward::live::Live;
use doorward::{BearerToken, Rejection, dependency, http_bearer, secured};
use poem::handler;
use poem::web::Path;
use salvo::{Depot, Request, Response, Writer};

#[http_bearer]
struct Api;

/// The path parameters of poem cannot be copied.
#[dependency]
async fn owner(
    #[security(Api)] _token: BearerToken,
    Path(_note): Path<u32>,
) -> Result<(), Rejection> {
    Ok(())
}

#[secured(owner)]
#[handler]
async fn watch_on_poem(_live: Live) {}

/// An error that salvo writes in answer to a request, which is not there any more.
struct Late;

#[salvo::async_trait]
impl Writer for Late {
    async fn write(self, _: &mut Request, _: &mut Depot, response: &mut Response) {
        response.status_code(salvo::http::StatusCode::FORBIDDEN);
    }
}

#[dependency]
async fn late(#[security(Api)] _token: BearerToken) -> Result<(), Late> {
    Err(Late)
}

#[secured(late)]
#[salvo::handler]
async fn watch_on_salvo(_live: Live) {}

/// A request guard of Rocket, which needs the whole request.
#[dependency]
async fn method(
    #[security(Api)] _token: BearerToken,
    _method: rocket::http::Method,
) -> Result<(), Rejection> {
    Ok(())
}

#[secured(method)]
#[rocket::get("/")]
async fn watch_on_rocket(_live: Live) {}

fn main() {
    let _ = poem::Route::new().at("/", poem::get(watch_on_poem));
}
