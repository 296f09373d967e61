//! Tokens that are verified in a browser or a worker, where a closure fetches the keys.

use serde::Deserialize;
use doorward::jwt::{BuildError, TokenVerifier};
use doorward::verify::{ClientLogin, Fetch, FetchError, Fetched, Introspection, Verified};
use doorward::{Shared, http_bearer, plan};

#[derive(Deserialize)]
pub struct Claims {
    pub sub: String,
}

#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api;

/// Creates the verifier of an issuer. `get` sends a request with the program's own client.
///
/// # Errors
///
/// Returns an error if the metadata of the issuer cannot be fetched.
pub async fn verifier<R>(
    get: impl Fn(String) -> R + Copy + Send + Sync + 'static,
) -> Result<Shared<TokenVerifier<Claims>>, BuildError>
where
    R: Future<Output = Result<Vec<u8>, FetchError>> + Send,
{
    let fetch = move |url: String| async move {
        let body = get(url.clone()).await?;
        Ok(Fetched::new(url, body))
    };
    let tokens = TokenVerifier::discover("https://id.example.com", fetch);
    let tokens = tokens.audience("https://api.example.com").build().await?;
    Ok(Shared::new(tokens))
}

/// Answers a request.
///
/// # Errors
///
/// Returns the response that refuses the request.
pub async fn answer(
    tokens: Shared<TokenVerifier<Claims>>,
    request: http::Request<()>,
) -> Result<String, http::Response<String>> {
    let (mut head, ()) = request.into_parts();
    head.extensions.insert(tokens);
    let caller: Verified<Claims> = plan!(Api, scopes("items")).resolve(&mut head).await?;
    Ok(caller.sub.clone())
}

/// Creates a verifier of opaque tokens. `fetch` sends the questions.
///
/// # Errors
///
/// Returns an error if the endpoint is not a URL.
pub fn opaque(
    secret: String,
    fetch: impl Fetch,
) -> Result<Shared<Introspection<Claims>>, BuildError> {
    let login = ClientLogin::basic("items-api", secret);
    let tokens = Introspection::at("https://id.example.com/introspect", login).fetch(fetch);
    Ok(Shared::new(tokens.audience("https://api.example.com").build()?))
}
