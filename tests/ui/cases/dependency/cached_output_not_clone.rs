use tollgate::dependency;

struct User;

#[dependency(cached)]
fn current_user() -> User {
    User
}

fn main() {}
