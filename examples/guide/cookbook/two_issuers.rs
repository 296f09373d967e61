use doorward::jwt::{Issuers, TokenVerifier};
use doorward::verify::Verified;
use doorward::{Shared, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    iss: String,
    sub: String,
}

#[http_bearer(verified = Claims, by = Issuers<Claims>)]
struct Api;

/// A `sub` is unique for one issuer only, so both together name the user.
#[secured]
async fn me(#[security(Api)] caller: Verified<Claims>) -> String {
    format!("{} of {}", caller.sub, caller.iss)
}

fn tokens(
    staff: TokenVerifier<Claims>,
    customers: TokenVerifier<Claims>,
) -> Shared<Issuers<Claims>> {
    Shared::new(Issuers::new([staff, customers]))
}

#[tokio::test]
async fn tokens_of_both_are_taken() {
    use doorward::axum08::{Router, routing::get};
    use doorward::testing::TestAuthority;

    use super::{answer, bearer};

    let of = |issuer: &str| {
        let authority = TestAuthority::new("https://api.example.com").unwrap();
        authority.with_issuer(issuer)
    };
    let (staff, customers) = (of("https://staff.example.com"), of("https://id.example.com"));
    let tokens = tokens(
        staff.verifier().build().await.unwrap(),
        customers.verifier().build().await.unwrap(),
    );
    let app: Router = Router::new().route("/", get(me)).extension(tokens);
    for issuer in [&staff, &customers] {
        let expected = format!("johndoe of {}", issuer.issuer());
        let token = issuer.token("johndoe").sign().unwrap();
        assert_eq!(answer(&app, bearer("/", &token)).await, (200, expected));
    }
    // The key of one does not sign for the other.
    let forged = staff.token("johndoe").claim("iss", customers.issuer()).sign().unwrap();
    assert_eq!(answer(&app, bearer("/", &forged)).await.0, 401);
    let third = of("https://evil.example.com").token("johndoe").sign().unwrap();
    assert_eq!(answer(&app, bearer("/", &third)).await.0, 401);
}
