//! The procedural macros of the crate [`doorward`](https://docs.rs/doorward). Depend on that crate
//! instead: it re-exports them, each with its page.
//!
//! Each macro reads its arguments, checks all of them, and emits const data and small impls. The
//! code that runs for a request is in the runtime crate.

#![expect(missing_docs, reason = "the macros are documented where the runtime re-exports them")]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod api_key;
mod attribute;
mod dependency;
mod emit;
mod form;
mod function;
mod grant;
mod handler;
mod http;
mod http_basic;
mod http_bearer;
mod http_digest;
mod layer;
mod oauth2;
mod oauth2_authorization_code_bearer;
mod oauth2_bearer;
mod oauth2_password_bearer;
mod one_of;
mod open_id_connect;
mod operation;
mod page;
mod password_request_form;
mod plan;
mod public;
mod request_form;
mod requirement;
mod scheme;
mod secured;
mod security;
#[cfg(test)]
mod tests;
mod types;

// Above each macro is the beginning of its page, for editors: they do not see the documentation of
// a re-export, and expand no macro for that of a macro. rustdoc would show it above the page.

use proc_macro::TokenStream;

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a base OAuth2 scheme on a unit struct.

```rust
#[oauth2(flows(
    password(token_url = "/token", scopes("items" = "Read items.")),
    client_credentials(token_url = "/token"),
))]
struct OAuth2;
```

It accepts any `Authorization` header that is not empty, whatever its scheme name, and yields the whole value
(`AuthorizationValue`)."#
)]
#[proc_macro_attribute]
pub fn oauth2(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a bearer scheme with a password flow on a unit struct.

```rust
#[oauth2_password_bearer(token_url = "/token", scopes("items" = "Read items."))]
struct OAuth2;
```

It accepts an `Authorization` header whose scheme name is `bearer`, in any case, and yields the token (`BearerToken`).

**A found token proves nothing**: anyone can send one. Let the scheme verify it, or check it in a `#[dependency]`."#
)]
#[proc_macro_attribute]
pub fn oauth2_password_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2_password_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a bearer scheme with an authorization code flow on a unit struct.

```rust
#[oauth2_authorization_code_bearer(
    authorization_url = "https://login.example.com/authorize",
    token_url = "https://login.example.com/token",
    scopes("items" = "Read items."),
)]
struct OAuth2;
```"#
)]
#[proc_macro_attribute]
pub fn oauth2_authorization_code_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2_authorization_code_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a bearer scheme with several flows on a unit struct.

```rust
#[oauth2_bearer(
    flows(
        authorization_code(authorization_url = "/authorize", token_url = "/token"),
        client_credentials(token_url = "/token"),
    ),
    scopes("items" = "Read items."),
)]
struct OAuth2;
```

**A found token proves nothing**: anyone can send one. Let the scheme verify it, or check it in a `#[dependency]`."#
)]
#[proc_macro_attribute]
pub fn oauth2_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a scheme for bearer tokens of an OpenID Connect provider on a unit struct.

```rust
#[open_id_connect(
    url = "https://id.example.com/.well-known/openid-configuration",
    scopes("items" = "Read items."),
)]
struct Provider;
```

It yields the token (`BearerToken`). The API description names the provider's
[discovery document](https://openid.net/specs/openid-connect-discovery-1_0.html).

**A found token proves nothing**: anyone can send one. Let the scheme verify it, or check it in a `#[dependency]`."#
)]
#[proc_macro_attribute]
pub fn open_id_connect(args: TokenStream, item: TokenStream) -> TokenStream {
    open_id_connect::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a scheme for bearer tokens of any origin ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750)) on a unit struct.

```rust
#[http_bearer(format = "JWT")]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    subject(token.as_str()).ok_or(Rejection::NOT_AUTHENTICATED)
}
```

It yields the token (`BearerToken`), which is not empty. Use an OAuth2 scheme instead if clients get their tokens from an endpoint that
the API description should name.

**A found token proves nothing**: anyone can send one. Let the scheme verify it, or check it in a `#[dependency]`."#
)]
#[proc_macro_attribute]
pub fn http_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    http_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a scheme for HTTP Basic ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)) on a unit struct.

```rust
#[http_basic(realm = "admin")]
struct Admin;
```

It yields the user name and the password (`BasicCredentials`).

**Found credentials prove nothing**: anyone can send them. Check them before you trust them, in a `#[dependency]`."#
)]
#[proc_macro_attribute]
pub fn http_basic(args: TokenStream, item: TokenStream) -> TokenStream {
    http_basic::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a scheme for HTTP Digest ([RFC 7616](https://www.rfc-editor.org/rfc/rfc7616)) on a unit struct.

```rust
#[http_digest]
struct Digest;
```"#
)]
#[proc_macro_attribute]
pub fn http_digest(args: TokenStream, item: TokenStream) -> TokenStream {
    http_digest::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a scheme for any other HTTP authentication scheme, by its
[registered name](https://www.iana.org/assignments/http-authschemes), on a unit struct.

```rust
#[http(scheme = "Negotiate")]
struct Negotiate;
```

It accepts an `Authorization` header with that scheme name, in any case, and yields what follows it (`HttpCredentials`).

**Found credentials prove nothing**: anyone can send them. Check them before you trust them, in a `#[dependency]`."#
)]
#[proc_macro_attribute]
pub fn http(args: TokenStream, item: TokenStream) -> TokenStream {
    http::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares a scheme for an API key in a header, in the query or in a cookie, on a unit struct.

```rust
#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn service(#[security(Key)] key: ApiKey) -> Result<&'static str, Rejection> {
    // Compares in constant time. A real service looks up the hash of the key.
    if key.secret_eq("s3cret") {
        Ok("billing")
    } else {
        Err(Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Unknown key"))
    }
}
```

It yields the key (`ApiKey`).

**A found key proves nothing**: anyone can send one. Check it before you trust it, in a `#[dependency]`."#
)]
#[proc_macro_attribute]
pub fn api_key(args: TokenStream, item: TokenStream) -> TokenStream {
    api_key::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Derives a password-grant request form on a struct with named fields.

```rust
#[derive(PasswordRequestForm)]
#[password_form(strict, max_bytes = 4096)]
struct Login<'a> {
    username: Cow<'a, str>,
    password: SecretString,
    scopes: RequestedScopes<'a>,
    #[password_form(rename = "one-time-password")]
    otp: Option<u32>,
}
```"#
)]
#[proc_macro_derive(PasswordRequestForm, attributes(password_form))]
pub fn password_request_form(item: TokenStream) -> TokenStream {
    password_request_form::expand(item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Derives the form of any grant, or of an endpoint beside the token endpoint, on a struct with named fields.

```rust
#[derive(RequestForm)]
#[request_form(grant_type = "urn:example:otp")]
struct OneTime {
    username: String,
    code: SecretString,
    scopes: Vec<String>,
    resource: Vec<String>, // may repeat
    #[request_form(rename = "device-number")]
    device: Option<u32>,
}
```"#
)]
#[proc_macro_derive(RequestForm, attributes(request_form))]
pub fn request_form(item: TokenStream) -> TokenStream {
    request_form::expand(item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Derives the reading of a token request on an enum: one of several grants, chosen by the parameter `grant_type`.

```rust
#[derive(Grant)]
enum Grant {
    Password(OAuth2PasswordRequestFormStrict),
    RefreshToken(RefreshTokenGrant),
    ClientCredentials(ClientCredentialsGrant),
    #[grant("urn:example:otp")]
    OneTime(OneTime),
}
```"#
)]
#[proc_macro_derive(Grant, attributes(grant))]
pub fn grant(item: TokenStream) -> TokenStream {
    grant::expand(item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Makes a function a dependency of handlers and of other dependencies, as FastAPI's `Security` does.

```rust
#[dependency]
async fn current_user(
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<User, BearerError> {
    // A found token proves nothing: check a real one here, and find out which scopes it grants.
    let (name, granted) = token.as_str().split_once('/').ok_or_else(|| scopes.invalid_token())?;
    scopes.check(&granted.split('+').collect::<Vec<_>>())?;
    Ok(User { name: name.to_owned() })
}
```"#
)]
#[proc_macro_attribute]
pub fn dependency(args: TokenStream, item: TokenStream) -> TokenStream {
    dependency::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Makes an enum a dependency with alternatives: a request passes with the credential of one of them.

```rust
#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(cron, unscoped)]
    Cron(()),
}
```"#
)]
#[proc_macro_attribute]
pub fn one_of(args: TokenStream, item: TokenStream) -> TokenStream {
    one_of::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Secures a handler: its `#[security(…)]` parameters come from schemes and dependencies, and a request that one of them refuses does not
reach it.

```rust
#[secured]
async fn own_items(#[security(user, scopes("items"))] user: String) -> String {
    format!("the items of {user}")
}

#[secured(user, scopes("items"))]
async fn status() -> &'static str {
    "ok"
}
```"#
)]
#[proc_macro_attribute]
pub fn secured(args: TokenStream, item: TokenStream) -> TokenStream {
    secured::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Declares that anyone may call a handler, and why.

```rust
#[public(reason = "load balancers ask it")]
async fn health() -> &'static str {
    "ok"
}
```"#
)]
#[proc_macro_attribute]
pub fn public(args: TokenStream, item: TokenStream) -> TokenStream {
    public::expand(args.into(), &item.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Plans a dependency outside a handler: `plan!(current_user, scopes("items"))` is a constant `Plan`, which resolves it from the head of
an `http` request.

It is for servers without handler parameters, such as plain hyper. `layer!` makes a layer of it.
`plan!(OAuth2)` resolves a scheme to its token, which proves nothing; as a guard (`layer!`) it does not compile."#
)]
#[proc_macro]
pub fn plan(requirement: TokenStream) -> TokenStream {
    plan::expand(requirement.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Returns the requirements of a handler for the API description: `operation!(own_items)` is an `openapi::Operation`.

The argument is the path of a function with `#[secured]` or `#[public]` through its module: `operation!(items::own_items)`, even if
`use items::own_items` has imported the function alone."#
)]
#[proc_macro]
pub fn operation(handler: TokenStream) -> TokenStream {
    operation::expand(handler.into()).into()
}

#[cfg_attr(
    rust_analyzer,
    doc = r#"Makes a `SecurityLayer` for every route below it: `layer!(current_user, scopes("items"))`.

No extractor may read the body. The output of the named dependency, not of those below it, goes to the handlers by its type, as
`Extension<User>` (axum), `ReqData<User>` (actix-web), `Data<&User>` (poem), `depot.get_typed::<User>()` (salvo), or a value in the
extensions of the request (tower, tonic). It has to be `Clone`; for several values, return a struct."#
)]
#[proc_macro]
pub fn layer(requirement: TokenStream) -> TokenStream {
    layer::expand(requirement.into()).into()
}

/// In scope only under a glob import, for its note: `#[secured]`, `#[dependency]` and `#[one_of]`
/// read the attribute themselves.
#[deprecated(
    note = "write `#[secured]` or `#[dependency]` above the function, or `#[one_of]` above the enum; they read `#[security(…)]` without an import"
)]
#[proc_macro_attribute]
pub fn security(_args: TokenStream, item: TokenStream) -> TokenStream {
    security::expand(item.into()).into()
}

/// A page of the runtime crate's documentation.
#[doc(hidden)]
#[proc_macro]
pub fn __page(page: TokenStream) -> TokenStream {
    page::expand(&page.into()).into()
}
