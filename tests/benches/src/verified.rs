//! A token that is verified: by a scheme, and by a dependency that does the same. The verifier
//! itself does next to nothing.

use std::cell::RefCell;
use std::hint::black_box;

use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{BearerToken, SecurityScopes, Shared, dependency, http_bearer, plan};
use http::Request;
use http::request::Parts;

use crate::{Contender, Named, bearer, ready};

/// Verifies every token.
struct Every;

impl Verify for Every {
    type Claims = ();

    const READS_REQUEST: bool = false;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<()>, VerifyError> {
        black_box(&token.into());
        Verified::new((), ["items".to_owned()]).require(scopes)
    }
}

#[http_bearer(scopes("items" = "Read items."), verified = (), by = Every)]
struct Verifies;

#[http_bearer(realm = "Verifies", scopes("items" = "Read items."))]
struct Finds;

#[dependency]
async fn caller(
    #[security(Finds)] token: BearerToken,
    scopes: SecurityScopes,
    tokens: Shared<Every>,
) -> Result<Verified<()>, VerifyError> {
    tokens.verify(token, scopes).await
}

/// A request with a token, or without.
pub struct Input {
    head: RefCell<Parts>,
}

/// Returns a request with a token, and one without.
#[must_use]
pub fn inputs() -> [Named<Input>; 2] {
    [("a token", true), ("no token", false)].map(|(name, has_token)| {
        let (mut head, ()) = Request::new(()).into_parts();
        if has_token {
            head.headers = bearer::headers("Bearer t0k3n");
        }
        head.extensions.insert(Shared::new(Every));
        (name, Input { head: RefCell::new(head) })
    })
}

/// The name of the scheme in the table.
pub const BY_SCHEME: &str = "doorward, a scheme";
/// The name of the dependency in the table.
pub const BY_DEPENDENCY: &str = "doorward, a dependency";

/// Both ways.
pub const ALL: [Contender<Input>; 2] = [
    Contender::new(BY_SCHEME, |input| {
        let head = &mut *input.head.borrow_mut();
        black_box(&ready(plan!(Verifies, scopes("items")).resolve(head)).is_ok());
    }),
    Contender::new(BY_DEPENDENCY, |input| {
        let head = &mut *input.head.borrow_mut();
        black_box(&ready(plan!(caller, scopes("items")).resolve(head)).is_ok());
    }),
];
