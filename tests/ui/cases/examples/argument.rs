use doorward::{Rejection, public};

include!("../roles.rs");

struct User;

struct Account;

#[dependency(cached, extract)]
fn every_mistake_at_once(
    #[argument(3)] limit: u32,
    #[argument]
    #[argument]
    more: u32,
    #[argument] name: impl Into<String>,
    #[argument]
    #[security(OAuth2)]
    token: BearerToken,
) -> Result<User, Rejection> {
    let _ = (limit, more, name.into(), token);
    Ok(User)
}

#[dependency(cached)]
fn kept(#[argument] limit: u32) -> u32 {
    limit
}

#[dependency(extract)]
fn extracted(#[argument] _limit: u32) -> Result<Account, Rejection> {
    Ok(Account)
}

// What requires them has no errors of its own.
#[secured(every_mistake_at_once(1, 2, "name"))]
async fn handler(#[security(kept(1))] kept: u32) -> u32 {
    kept
}

struct Limit(u32);

#[dependency]
fn limited(#[argument] limit: Limit, #[security(OAuth2)] _token: BearerToken) -> Result<(), BearerError> {
    if limit.0 > 3 { Ok(()) } else { Err(BearerError::invalid_token()) }
}

#[secured(layer = limited(Limit(4)))]
async fn layer_not_comparable() {}

fn local_variable(limit: u32) {
    let least = Role::Admin;
    let _ = doorward::plan!(role(least, 4));
    let _ = doorward::layer!(role(Role::Admin, limit));
}

#[secured(role)]
async fn missing() {}

#[secured]
async fn parameter_missing(#[security(role)] role: ()) {
    role
}

#[dependency]
fn below_missing(#[security(role)] role: ()) {
    role
}

// What requires it has no errors of its own.
#[secured(below_missing)]
async fn above() {}

fn plans() {
    let _ = doorward::plan!(role);
    let _ = doorward::layer!(role);
}

#[dependency]
fn user(#[security(OAuth2)] _token: BearerToken) -> Result<u32, BearerError> {
    Ok(1)
}

#[secured(user(Role::Admin))]
async fn none_taken() {}

#[secured]
async fn none_taken_by_a_scheme(#[security(OAuth2("api"))] token: BearerToken) {
    let _ = token;
}

#[secured(role())]
async fn none_written() {}

#[secured]
async fn on_a_handler(#[argument] limit: u32) {
    let _ = limit;
}

#[public(reason = "everyone may ask")]
async fn open(#[argument] limit: u32) {
    let _ = limit;
}

#[secured]
async fn parameter(limit: axum::extract::Path<u32>, #[security(role(Role::Admin, limit + 1))] role: ()) {
    let _ = (limit, role);
}

#[dependency]
fn below_parameter(#[argument] limit: u32, #[security(role(Role::Admin, limit))] _role: ()) -> u32 {
    limit
}

#[secured(role(Role::Admin))]
async fn too_few() {}

#[dependency]
fn below_too_few(#[security(role(Role::Admin))] role: ()) {
    role
}

#[secured(role(Role::Admin, 4, "more"))]
async fn too_many() {}

#[secured]
async fn wrong_type(#[security(role("admin", 4))] role: ()) {
    role
}

#[secured(role(Role::Admin, -4))]
async fn guarded_wrong_type() {}

#[secured]
async fn unfinished(#[security(role(Role::))] role: ()) {
    role
}

#[secured(role(Role::, 4))]
async fn unfinished_guard() {}

#[dependency]
fn generic(#[argument] name: impl Into<String>) -> String {
    name.into()
}

#[secured]
async fn takes_generic(#[security(generic("name"))] name: String) -> String {
    name
}

#[dependency]
fn unknown_word(#[argument(role)] _least: u32, #[argument(verbatim)] _limit: u32, #[argument = 3] _more: u32) -> u32 {
    1
}

#[dependency]
fn word_twice(#[argument(roles, roles)] _least: u32) -> u32 {
    1
}

#[dependency]
fn roles_twice(#[argument(roles)] _allowed: &[&str], #[argument(roles)] _more: &str) -> u32 {
    1
}

#[dependency]
fn roles_as_written(#[argument(as_written, roles)] _allowed: &[&str]) -> u32 {
    1
}

#[dependency]
fn roles_without_names(#[argument(roles)] _allowed: &'static [Role], #[security(OAuth2)] _token: BearerToken) -> u32 {
    1
}

#[dependency]
fn role_without_a_name(#[argument(roles)] _least: Role) -> u32 {
    1
}

fn main() {}
