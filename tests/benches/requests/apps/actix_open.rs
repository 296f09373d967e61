//! actix-web alone: a route that is open to everyone.

use actix_web::{App, HttpServer, get};

#[get("/items")]
async fn items() -> &'static str {
    "the items of 018f3c9e-7b2a-7c40-9d51-000000000000"
}

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let port = std::env::var("PORT")?.parse()?;
    let server = HttpServer::new(|| App::new().service(items));
    server.workers(1).bind(("127.0.0.1", port))?.run().await?;
    Ok(())
}
