use axum::Router;
use axum::routing::get;
use doorward::{one_of, secured};

#[secured(OAuth2)]
async fn no_such_path() {}

struct User;

fn user() -> User {
    User
}

#[secured]
async fn plain_function(#[security(user)] user: User) {
    drop(user);
}

#[secured(user)]
async fn guarded() {}

fn use_of_plain_function() {
    let _: Router = Router::new()
        .route("/", get(plain_function))
        .route("/guarded", get(guarded));
}

#[one_of]
enum NoSuchPath {
    #[security(usr)]
    User(String),
}

#[secured]
async fn handler(#[security(NoSuchPath)] caller: NoSuchPath) {
    drop(caller);
}

mod one_of_plain_function {
    use axum::Router;
    use axum::routing::get;
    use doorward::{one_of, secured};

    fn user() -> String {
        String::new()
    }

    #[one_of]
    enum Caller {
        #[security(user)]
        User(String),
        Guest,
    }

    #[secured]
    async fn handler(#[security(Caller)] caller: Caller) {
        drop(caller);
    }

    fn used() {
        let _: Router = Router::new().route("/", get(handler));
    }
}

mod dependency_plain_function {
    use doorward::dependency;

    fn current_user() -> u32 {
        1
    }

    #[dependency]
    fn active_user(#[security(current_user)] user: u32) -> u32 {
        user
    }
}

fn main() {}
