//! What is presented comes from a scheme.

use tollgate::dependency;
use tollgate::verify::Presented;

#[dependency]
async fn caller(_presented: Presented) {}

fn main() {}
