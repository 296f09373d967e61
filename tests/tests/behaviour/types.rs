//! The types that a dependency may return and a parameter may have: aliases, projections, borrows
//! of static data, and names that the expansion might use itself.

#![allow(clippy::too_many_arguments, reason = "one handler takes them all")]

use std::borrow::Cow;

use axum::{Router, routing::get};
use doorward::{BearerError, BearerToken, dependency, oauth2_password_bearer, secured};

use super::asking::{ask_with, head};

/// A scheme whose name is common for type parameters.
#[oauth2_password_bearer(token_url = "token")]
struct C;

trait Backend {
    type Value;
    type Result;
}

impl Backend for u8 {
    type Value = u16;
    type Result = Result<u16, BearerError>;
}

type AppResult<T> = Result<T, BearerError>;

#[dependency]
fn projected() -> AppResult<Option<<Vec<u8> as IntoIterator>::Item>> {
    Ok(Some(1))
}

#[dependency]
fn associated() -> <u8 as Backend>::Result {
    Ok(2)
}

macro_rules! in_a_macro {
    ($returned:ty) => {
        #[dependency]
        fn in_a_macro() -> $returned {
            Ok(3)
        }
    };
}

in_a_macro!(Result<<u8 as Backend>::Value, BearerError>);

#[dependency]
fn text() -> &'static str {
    "text"
}

#[dependency]
fn cow() -> Cow<'static, str> {
    "cow".into()
}

#[dependency]
fn lengths(#[security(text)] text: &str, #[security(cow)] cow: Cow<'_, str>) -> (usize, usize) {
    (text.len(), cow.len())
}

#[dependency]
fn test() -> Box<dyn Fn(&str) -> bool + Send> {
    Box::new(|text| text == "text")
}

#[dependency]
fn tested(
    #[security(test)] test: Box<dyn Fn(&str) -> bool + Send>,
    #[security(text)] text: &'static str,
) -> bool {
    test(text)
}

#[dependency(local)]
fn local(#[security(C)] token: BearerToken) -> std::rc::Rc<str> {
    token.as_str().into()
}

#[secured]
async fn handler(
    #[security(projected)] projected: Option<u8>,
    #[security(associated)] associated: u16,
    #[security(in_a_macro)] in_a_macro: <u8 as Backend>::Value,
    #[security(lengths)] lengths: (usize, usize),
    #[security(test)] test: Box<dyn Fn(&str) -> bool + Send>,
    #[security(tested)] tested: bool,
    #[security(cow)] cow: Cow<'_, str>,
    #[security(C)] token: BearerToken,
) -> String {
    let refuted = test("else");
    let token = token.as_str();
    format!("{projected:?} {associated} {in_a_macro} {lengths:?} {refuted} {tested} {cow} {token}")
}

#[tokio::test]
async fn each_is_resolved() {
    let app = Router::new().route("/", get(handler));
    let answer = ask_with(app, "/", Some("t")).await;
    assert_eq!(answer.body(), "Some(1) 2 3 (4, 3) false true cow t");
}

#[tokio::test]
async fn a_local_one_stays_on_its_thread() {
    let mut head = head(&[("authorization", "Bearer t")]);
    let token = doorward::plan!(local).resolve_local(&mut head).await;
    assert_eq!(&*token.unwrap(), "t");
}
