use tollgate::{Rejection, dependency};

type Text = String;

#[dependency]
async fn signed(body: Option<Text>) -> Result<bool, Rejection> {
    Ok(body.is_some())
}

fn main() {}
