use actix_web::web;
use tollgate::{Rejection, dependency};

#[dependency]
async fn signed(body: web::Bytes) -> Result<bool, Rejection> {
    Ok(body.is_empty())
}

#[dependency]
async fn named(form: Option<web::Form<String>>) -> Result<bool, Rejection> {
    Ok(form.is_some())
}

fn main() {}
