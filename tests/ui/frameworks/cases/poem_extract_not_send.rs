use std::rc::Rc;

use tollgate::{Rejection, dependency};

struct User(Rc<str>);

#[dependency(extract)]
fn user() -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[poem::handler]
fn own(user: User) -> String {
    user.0.to_string()
}

fn main() {}
