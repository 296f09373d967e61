use tollgate::dependency;

struct User;

fn current_user() -> User {
    User
}

#[dependency]
fn active_user(#[security(User)] user: User) -> User {
    user
}

fn main() {}
