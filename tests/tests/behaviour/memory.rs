//! The memory of verified tokens: how many it holds, whom it serves, and what it says of itself.

use doorward::jwt::{Issuers, Remembered, SigningKey, TokenAuthority, TokenVerifier};
use doorward::testing::TestAuthority;
use doorward::{BearerToken, SecurityScopes};
use serde_json::{Value, json};

const AUDIENCE: &str = "https://api.example.com";

#[derive(serde::Deserialize)]
struct Claims {
    #[expect(dead_code, reason = "it is read")]
    sub: String,
}

fn authority() -> TokenAuthority {
    let builder = TokenAuthority::builder("https://a.example", SigningKey::secret("s".repeat(32)));
    builder.build().unwrap()
}

/// Returns a token of eight claims.
fn usual(authority: &TokenAuthority, number: usize) -> BearerToken {
    let token = authority.token(format!("7b1c0f3a-55d1-4c9e-9d2b-{number:012}"));
    let token = token.scopes(["items:read", "items:write"]).claim("client_id", "web");
    token.claim("email", "johndoe@example.com").sign().unwrap()
}

async fn verify<C: serde::de::DeserializeOwned + Send + Sync>(
    verifier: &TokenVerifier<C>,
    token: &BearerToken,
) {
    verifier.verify(token, SecurityScopes::NONE).await.unwrap();
}

/// The memory as it comes fits ten times as many, by the same reckoning.
#[tokio::test]
async fn a_tenth_of_the_usual_memory_fits_a_thousand_usual_tokens() {
    let authority = authority();
    let tokens = authority.verifier::<Claims>().remember(32 * 1024 * 1024 / 10).build();
    let tokens = tokens.await.unwrap();
    let usual: Vec<_> = (0..1000).map(|number| usual(&authority, number)).collect();
    for _ in 0..2 {
        for token in &usual {
            verify(&tokens, token).await;
        }
    }
    let Remembered { looked_up, found, dropped, bytes, .. } = tokens.remembered();
    assert_eq!((looked_up, found, dropped), (2000, 1000, 0));
    // A usual token takes its text, and some 2 KiB.
    assert!((1500..3200).contains(&(bytes / 1000)), "{bytes}");
}

/// What was dropped and comes again is counted, so that a service sees that it needs more.
#[tokio::test]
async fn a_memory_says_how_well_it_fits() {
    let authority = authority();
    let none = authority.verifier::<Claims>().remember(0).build().await.unwrap();
    verify(&none, &usual(&authority, 0)).await;
    assert_eq!(none.remembered(), Remembered::default());

    let tokens = authority.verifier::<Claims>().remember(64 * 1024).build().await.unwrap();
    for number in (0..200).chain(0..200) {
        verify(&tokens, &usual(&authority, number)).await;
    }
    let Remembered { looked_up, found, dropped, bytes, .. } = tokens.remembered();
    assert_eq!(looked_up, 400);
    assert!(found < 100 && dropped > 200 && bytes <= 64 * 1024, "{:?}", tokens.remembered());
    tokens.forget(|_| true);
    let after = tokens.remembered();
    assert_eq!((after.looked_up, after.found, after.bytes), (400, found, 0));
}

/// A client that gets a new token for each request does not push out those that keep theirs.
#[tokio::test]
async fn a_client_with_a_new_token_each_time_does_not_push_out_the_others() {
    let authority = authority();
    let tokens = authority.verifier::<Claims>().remember(512 * 1024).build().await.unwrap();
    let usual_tokens: Vec<_> = (0..100).map(|number| usual(&authority, number)).collect();
    let mut before = 0;
    for round in 1..=50 {
        for (index, token) in usual_tokens.iter().enumerate() {
            verify(&tokens, token).await;
            verify(&tokens, &usual(&authority, 1000 * round + index)).await;
        }
        if round == 1 {
            before = tokens.remembered().found;
        }
    }
    let found = tokens.remembered().found - before;
    assert!(found >= 49 * 95, "{found} of {}", 49 * 100);
}

/// Tokens that verify nothing take nothing.
#[tokio::test]
async fn a_flood_of_bad_tokens_takes_nothing() {
    let authority = authority();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let good = usual(&authority, 0);
    verify(&tokens, &good).await;
    let before = tokens.remembered();
    let (_, signature) = good.as_str().rsplit_once('.').unwrap();
    for number in 0..10_000 {
        // They end as one that is remembered.
        let forged = BearerToken::try_from(&*format!("e30.{number}.{signature}")).unwrap();
        assert!(tokens.verify(&forged, SecurityScopes::NONE).await.is_err());
    }
    let after = tokens.remembered();
    assert_eq!((after.bytes, after.found, after.dropped), (before.bytes, before.found, 0));
    verify(&tokens, &good).await;
    assert_eq!(tokens.remembered().found, before.found + 1);
}

/// The issuers that a service names have one memory together, and none takes it all.
#[tokio::test]
async fn issuers_share_one_memory() {
    const BYTES: usize = 256 * 1024;
    let of = |name: &str| TestAuthority::new(AUDIENCE).unwrap().with_issuer(name);
    let [busy, calm] = ["https://busy.example", "https://calm.example"].map(of);
    let keys = [&busy, &calm]
        .map(|authority| (authority.issuer().to_owned(), authority.jwks().to_owned()));
    let tokens: Issuers<Value> =
        Issuers::resolve(move |issuer: String| {
            let keys = keys.iter().find(|(name, _)| *name == issuer).cloned();
            async move {
                Ok(keys.map(|(name, jwks)| TokenVerifier::jwks(name, jwks).audience(AUDIENCE)))
            }
        })
        .remember(BYTES);
    let token = |authority: &TestAuthority, number: usize| {
        let token = authority.token(format!("{number}")).claim("groups", json!(["a", "b"]));
        token.sign().unwrap()
    };
    let of_calm: Vec<_> = (0..10).map(|number| token(&calm, number)).collect();
    let verify = async |token: &BearerToken| {
        tokens.verify(token, SecurityScopes::NONE).await.unwrap();
    };
    for token in &of_calm {
        verify(token).await;
    }
    let calm_bytes = tokens.remembered().bytes;
    for number in 0..300 {
        verify(&token(&busy, number)).await;
        let bytes = tokens.remembered().bytes;
        assert!(bytes <= u64::try_from(BYTES).unwrap() / 4 + calm_bytes, "{bytes}");
    }
    let before = tokens.remembered();
    for token in &of_calm {
        verify(token).await;
    }
    assert_eq!(tokens.remembered().found, before.found + 10);
}
