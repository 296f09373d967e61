// A guard above a scheme can refuse the credential, or says that it does not.
mod api {
    use tollgate::{BearerToken, Rejection, dependency, http_bearer, one_of};

    #[http_bearer]
    pub struct Api;

    /// What a beginner writes first.
    #[dependency]
    pub fn token(#[security(Api)] token: BearerToken) -> BearerToken {
        token
    }

    #[dependency(unverified)]
    pub fn of_gateway(#[security(Api)] token: BearerToken) -> BearerToken {
        token
    }

    #[dependency]
    pub fn verified(#[security(Api)] _token: BearerToken) -> Result<(), Rejection> {
        Err(Rejection::NOT_AUTHENTICATED)
    }

    #[dependency]
    pub fn above(#[security(token)] _token: BearerToken) {}

    #[dependency]
    pub fn above_gateway(#[security(of_gateway)] _token: BearerToken) {}

    #[derive(Clone)]
    #[one_of]
    pub enum Caller {
        #[security(token)]
        One(BearerToken),
    }
}

mod guards {
    use super::api::*;
    use tollgate::secured;

    #[secured(of_gateway)]
    async fn passed_on() {}

    #[secured(above_gateway)]
    async fn above_what_is_passed_on() {}

    #[secured(token)]
    async fn direct() {}

    #[secured(above)]
    async fn indirect() {}

    #[secured(Caller)]
    async fn listed() {}
}

mod layers {
    use super::api::*;
    use tollgate::layer;

    fn layers() {
        let _ = layer!(of_gateway);
        let _ = layer!(token);
    }
}

mod parameters {
    use super::api::*;
    use tollgate::{BearerToken, secured};

    // The handler has the value.
    #[secured]
    async fn handler(#[security(token)] _token: BearerToken) {}
}

mod misplaced {
    use super::api::*;
    use tollgate::{BearerToken, Rejection, dependency};

    #[dependency(unverified)]
    fn checks(#[security(Api)] _token: BearerToken) -> Result<(), Rejection> {
        Err(Rejection::NOT_AUTHENTICATED)
    }

    #[dependency(unverified)]
    fn above(#[security(verified)] _checked: ()) {}

    #[dependency(unverified)]
    fn without_a_scheme() {}

    #[dependency(unverified = "gateway")]
    fn with_a_value(#[security(Api)] _token: BearerToken) {}
}

fn main() {}
