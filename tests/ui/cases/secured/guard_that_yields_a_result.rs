use tollgate::{BearerError, dependency, secured};

#[dependency]
fn user() -> Result<Result<u32, BearerError>, BearerError> {
    Ok(Err(BearerError::unauthorized("nobody")))
}

#[secured(user)]
async fn handler() {}

fn main() {}
