use doorward::axum08::{Router, routing::get};
use doorward::verify::{Presented, Verified, Verify, VerifyError};

include!("../callers.rs");

struct Nobody;

impl Verify for Nobody {
    type Claims = ();

    async fn verify(&self, _: impl Into<Presented> + Send, scopes: SecurityScopes) -> Result<Verified<()>, VerifyError> {
        Err(VerifyError::invalid_token(scopes))
    }
}

struct Page;

#[dependency(extract)]
fn page() -> Page {
    Page
}

#[one_of(extract)]
enum Visitor {
    #[security(user)]
    User(String),
    Nobody,
}

struct Fallible;

#[dependency(extract)]
fn fallible() -> Result<Fallible, Rejection> {
    Ok(Fallible)
}

async fn of_fallible(_: Fallible) {}

fn extracted_value_that_may_be_refused_for_another_reason() {
    let _app: Router = Router::new().route("/", get(of_fallible));
}

struct Infallible;

#[dependency(extract)]
fn infallible() -> Result<Infallible, std::convert::Infallible> {
    Ok(Infallible)
}

async fn of_infallible(_: Infallible) {}

fn extracted_value_that_cannot_fail() {
    let _app: Router = Router::new().route("/", get(of_infallible));
}

struct AboveAPage;

#[dependency(extract)]
fn above_a_page(#[security(page)] _page: Page) -> AboveAPage {
    AboveAPage
}

async fn of_above_a_page(_: AboveAPage) {}

fn extracted_value_above_one_that_everyone_gets() {
    let _app: Router = Router::new().route("/", get(of_above_a_page));
}

#[http_bearer(auto_error = false)]
struct Maybe;

struct MaybeCaller;

#[dependency(extract)]
fn maybe_caller(#[security(Maybe)] _token: Option<BearerToken>) -> Result<MaybeCaller, Rejection> {
    Ok(MaybeCaller)
}

async fn of_maybe_caller(_: MaybeCaller) {}

fn extracted_value_above_an_optional_scheme() {
    let _app: Router = Router::new().route("/", get(of_maybe_caller));
}

#[http_bearer(scopes("items" = "Items."), verified = (), by = Nobody, auto_error = false)]
struct MaybeVerified;

struct MaybeVerifiedCaller;

#[dependency(extract)]
fn maybe_verified(#[security(MaybeVerified)] _caller: Option<Verified<()>>) -> MaybeVerifiedCaller {
    MaybeVerifiedCaller
}

async fn of_maybe_verified(_: MaybeVerifiedCaller) {}

fn extracted_value_above_an_optional_scheme_that_verifies() {
    let _app: Router = Router::new().route("/", get(of_maybe_verified));
}

struct AboveVisitor;

#[dependency(extract)]
fn above_visitor(#[security(Visitor)] _visitor: Visitor) -> AboveVisitor {
    AboveVisitor
}

async fn of_above_visitor(_: AboveVisitor) {}

fn extracted_value_above_an_enum_with_nobody() {
    let _app: Router = Router::new().route("/", get(of_above_visitor));
}

#[dependency]
fn optional_caller(#[security(MaybeVerified)] _caller: Option<Verified<()>>) -> String {
    String::new()
}

#[secured(optional_caller, scopes("items"))]
async fn guard_above_an_optional_scheme_that_verifies() {}

#[secured(layer = optional_caller)]
async fn layer_above_an_optional_scheme_that_verifies() {}

fn layer_of_an_optional_scheme_that_verifies() {
    let _layer = layer!(optional_caller);
}

#[dependency]
fn throttled() -> Result<(), Rejection> {
    Ok(())
}

#[dependency]
fn throttled_caller(#[security(throttled)] _throttled: (), #[security(Maybe)] _token: Option<BearerToken>) -> String {
    String::new()
}

#[secured(throttled_caller)]
async fn guard_above_a_rate_limit_and_an_optional_scheme() {}

#[dependency]
fn key_and_maybe(#[security(Key)] _key: ApiKey, #[security(MaybeVerified)] _caller: Option<Verified<()>>) -> String {
    String::new()
}

#[secured(key_and_maybe)]
async fn guard_above_a_key_that_nobody_checks() {}

#[one_of(extract)]
enum Extracted {
    #[security(Key)]
    Key(ApiKey),
    #[security(user)]
    User(String),
}

/// A public value of a private function compiles.
pub struct PublicValue;

#[dependency(extract)]
fn private(#[security(user)] _user: String) -> PublicValue {
    PublicValue
}

fn main() {}
