use tollgate::{Rejection, dependency};

struct User;
struct Database;

#[dependency(extract)]
fn user(_database: Database) -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[axum::debug_handler]
async fn own(_user: User) {}

fn main() {}
