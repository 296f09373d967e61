use doorward::live::Live;
use doorward::{BearerToken, Rejection, dependency, http_bearer, secured};
use poem::handler;
use poem::web::Path;
use salvo::Writer as _;

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

#[dependency]
async fn owned(#[security(Api)] _token: BearerToken) -> Result<(), Rejection> {
    Ok(())
}

/// salvo copies no request.
#[secured(owned)]
#[salvo::handler]
async fn watch_on_salvo(_live: Live) {}

fn main() {
    let _ = poem::Route::new().at("/", poem::get(watch_on_poem));
}
