use std::borrow::Cow;

use tollgate::{PasswordForm, PasswordRequestForm};

#[derive(PasswordRequestForm)]
struct Login<'a> {
    username: Cow<'a, str>,
    password: String,
}

async fn handler(_: PasswordForm<Login<'_>>) {}

fn main() {}
