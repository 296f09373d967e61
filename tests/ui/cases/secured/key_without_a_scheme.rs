use tollgate::{ApiKey, BasicCredentials, Rejection, dependency, secured};

#[dependency]
fn user(key: ApiKey) -> Result<String, Rejection> {
    Ok(key.as_str().to_owned())
}

#[secured(user)]
async fn basic(login: BasicCredentials) {
    drop(login);
}

fn main() {}
