//! `layer` takes the path of a dependency.

use tollgate::secured;

#[secured(layer = "current_user")]
async fn items() {}

#[secured(layer(current_user))]
async fn users() {}

fn main() {}
