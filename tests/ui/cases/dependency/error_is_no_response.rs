use std::io;

use tollgate::dependency;

struct AuthError;

type AuthResult<T> = Result<T, AuthError>;

#[dependency]
fn user() -> Result<String, AuthError> {
    Err(AuthError)
}

#[dependency]
fn by_an_alias() -> AuthResult<String> {
    Err(AuthError)
}

#[dependency]
fn of_the_system() -> Result<String, io::Error> {
    Err(io::ErrorKind::NotFound.into())
}

#[dependency]
fn boxed() -> Result<String, Box<dyn std::error::Error + Send + Sync>> {
    Err("nobody".into())
}

fn main() {}
