// Where everything is imported, an attribute that helps another one is in scope.

mod security_above_a_handler {
    use doorward::*;

    #[oauth2_password_bearer(token_url = "token")]
    struct OAuth2;

    #[security(OAuth2)]
    async fn handler() {}
}

mod without_the_attribute {
    use doorward::*;

    #[oauth2_password_bearer(token_url = "token")]
    struct OAuth2;

    async fn handler(#[security(OAuth2)] token: BearerToken) {
        drop(token);
    }
}

mod one_of_without_the_attribute {
    use doorward::*;

    #[oauth2_password_bearer(token_url = "token")]
    struct OAuth2;

    enum Caller {
        #[security(OAuth2)]
        User(BearerToken),
    }
}

fn main() {}
