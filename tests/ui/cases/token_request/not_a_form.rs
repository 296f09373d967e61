use tollgate::{TokenForm, TokenRequest};

struct Login {
    username: String,
}

#[derive(TokenRequest)]
enum Grant {
    #[grant("password")]
    Login(Login),
}

async fn token(TokenForm { client: _, grant: _ }: TokenForm<Grant>) {}

fn main() {}
