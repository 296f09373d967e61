use tollgate::token_endpoint::TokenRequest;
use tollgate::Grant;

struct Login {
    username: String,
}

#[derive(Grant)]
enum Grant {
    #[grant("password")]
    Login(Login),
}

async fn token(TokenRequest { client: _, grant: _ }: TokenRequest<Grant>) {}

fn main() {}
