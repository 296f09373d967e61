use doorward::{BearerToken, Live, Rejection, dependency, http_bearer, secured};
use poem::handler;
use poem::web::Path;

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

/// salvo copies no request.
#[secured(Api)]
#[salvo::handler]
async fn watch_on_salvo(_live: Live) {}

fn main() {
    let _ = poem::Route::new().at("/", poem::get(watch_on_poem));
}
