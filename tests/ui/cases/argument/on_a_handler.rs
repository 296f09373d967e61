use tollgate::{public, secured};

#[secured]
async fn handler(#[argument] limit: u32) {
    let _ = limit;
}

#[public(reason = "everyone may ask")]
async fn open(#[argument] limit: u32) {
    let _ = limit;
}

fn main() {}
