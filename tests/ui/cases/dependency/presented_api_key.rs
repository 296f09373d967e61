//! Only a bearer token is presented with its request.

use tollgate::verify::Presented;
use tollgate::{api_key, dependency};

#[api_key(header = "X-API-Key")]
struct Key;

#[dependency]
async fn caller(#[security(Key)] _presented: Presented) {}

fn main() {}
