//! The kinds of types that a macro cannot tell from their tokens, because they may be behind an
//! alias.
//!
//! `…Of<T>` has an inherent constant for each type that is known here. It wins over the constant
//! that a trait provides for every type.

#![allow(
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "the checks are evaluated at compile time, where a panic is a compile error"
)]

use core::future::Ready;
use core::marker::PhantomData;
use core::ops::ControlFlow;
use core::pin::Pin;
use core::task::Poll;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use http::{Response, StatusCode};

use crate::adapters::each_form;
use crate::credential::api_key::ApiKey;
use crate::credential::authorization_value::AuthorizationValue;
use crate::credential::bearer_token::BearerToken;
use crate::credential::http_basic::BasicCredentials;
use crate::credential::http_credentials::HttpCredentials;
use crate::credential::presented::Presented;
use crate::plan::output_kind::OutputKind;
use crate::plan::security_scopes::{MissingScopes, SecurityScopes};
use crate::refusal::bearer_error::BearerError;
use crate::refusal::rejection::Rejection;

/// The `ParameterKind` of a type: `<ParameterOf<T>>::KIND`.
#[derive(Debug)]
pub struct ParameterOf<T>(PhantomData<T>);

/// The kind of a parameter without an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// Any other type, which is taken for an extractor.
    Extractor,
    /// [`SecurityScopes`].
    Scopes,
    /// The token of a scheme.
    Token,
    /// The key of an `#[api_key]`.
    Key,
    /// The credentials of an `#[http_basic]`.
    Login,
    /// The credentials of an `#[http]` or `#[http_digest]`.
    Credentials,
    /// A type that reads the body.
    Body,
}

/// The kind of any other parameter.
pub trait AnyParameter {
    /// The kind.
    const KIND: ParameterKind = ParameterKind::Extractor;
}

impl<T> AnyParameter for ParameterOf<T> {}

macro_rules! parameters {
    ($($kind:ident: $([$($generics:tt)*] $ty:ty),*;)*) => {$($(
        impl<$($generics)*> ParameterOf<$ty> {
            /// The kind.
            pub const KIND: ParameterKind = ParameterKind::$kind;
        }

        impl<$($generics)*> ParameterOf<Option<$ty>> {
            /// The kind.
            pub const KIND: ParameterKind = ParameterKind::$kind;
        }
    )*)*};
}

parameters! {
    Scopes: [] SecurityScopes;
    Token: [] BearerToken, [] AuthorizationValue, [] Presented;
    Key: [] ApiKey;
    Login: [] BasicCredentials;
    Credentials: [] HttpCredentials;
    Body: [] String, [] Vec<u8>, [] Bytes;
}

macro_rules! body_parameters {
    ($([$($generics:tt)*] $extractor:ty, $error:ty;)*) => {
        parameters! { Body: $([$($generics)*] $extractor),*; }
    };
}

each_form!(body_parameters);

#[cfg(feature = "actix-web4")]
parameters! {
    Body: [T] actix_web::web::Json<T>, [T] actix_web::web::Form<T>, [] actix_web::web::Payload;
}

#[cfg(feature = "poem3")]
parameters! {
    Body: [T] poem::web::Json<T>, [T] poem::web::Form<T>, [] poem::Body;
}

/// Checks the type of a handler's parameter that has no attribute.
#[track_caller]
pub const fn check_handler_extractor(kind: ParameterKind) {
    let rule = match kind {
        ParameterKind::Extractor | ParameterKind::Body => return,
        ParameterKind::Scopes => {
            "`SecurityScopes` is always empty in a handler; take it in a `#[dependency]`"
        }
        ParameterKind::Token => "a credential comes from a scheme; name it: `#[security(OAuth2)]`",
        ParameterKind::Key => {
            "an API key comes from a scheme; name the struct with `#[api_key(…)]`: `#[security(Key)]`"
        }
        ParameterKind::Login => {
            "a user name and password come from a scheme; name the struct with `#[http_basic]`: `#[security(Login)]`"
        }
        ParameterKind::Credentials => {
            "these credentials come from a scheme; name the struct with `#[http(…)]` or `#[http_digest]`: `#[security(Digest)]`"
        }
    };
    panic!("{}", rule)
}

/// Checks the type of a dependency's parameter that has no attribute.
#[track_caller]
pub const fn check_extractor(kind: ParameterKind) {
    assert!(
        !matches!(kind, ParameterKind::Scopes),
        "`SecurityScopes` is recognised by its name; write it instead of the alias"
    );
    check_handler_extractor(kind);
    assert!(
        !matches!(kind, ParameterKind::Body),
        "a dependency cannot read the body, which is for the handler; take this in the handler"
    );
}

/// The `OutputKind` of a type: `<OutputOf<T>>::KIND`.
#[derive(Debug)]
pub struct OutputOf<T>(PhantomData<T>);

/// The kind of any other value.
pub trait AnyOutput {
    /// The kind.
    const KIND: OutputKind = OutputKind::Value;
}

impl<T> AnyOutput for OutputOf<T> {}

macro_rules! outputs {
    ($($kind:ident: $([$($generics:tt)*] $ty:ty),*;)*) => {$($(
        impl<$($generics)*> KnownOutput for $ty {
            const KIND: OutputKind = OutputKind::$kind;
        }
    )*)*};
}

/// A value of a known kind.
pub trait KnownOutput {
    /// The kind.
    const KIND: OutputKind;
}

/// One impl for all of them: of several, none would be chosen for a type that is not known because
/// of another mistake.
impl<T: KnownOutput> OutputOf<T> {
    /// The kind.
    pub const KIND: OutputKind = T::KIND;
}

outputs! {
    Result: [T, E] Result<T, E>;
    Verdict: [] bool, [T] Option<T>, [B, C] ControlFlow<B, C>, [T] Poll<T>,
        [] Rejection, [] BearerError, [] MissingScopes, [] StatusCode, [B] Response<B>;
    Future: [P] Pin<P>, [T] Ready<T>,
        [T] dyn Future<Output = T>,
        [T] dyn Future<Output = T> + Send,
        [T] dyn Future<Output = T> + Sync,
        [T] dyn Future<Output = T> + Unpin,
        [T] dyn Future<Output = T> + Send + Sync,
        [T] dyn Future<Output = T> + Send + Unpin,
        [T] dyn Future<Output = T> + Send + Sync + Unpin;
    Function: [T: KnownOutput] fn() -> T, [A, T: KnownOutput] fn(A) -> T,
        [A, B, T: KnownOutput] fn(A, B) -> T,
        [T: KnownOutput] dyn Fn() -> T,
        [T: KnownOutput] dyn Fn() -> T + Send,
        [T: KnownOutput] dyn Fn() -> T + Send + Sync,
        [T: KnownOutput] dyn FnMut() -> T,
        [T: KnownOutput] dyn FnMut() -> T + Send,
        [T: KnownOutput] dyn FnMut() -> T + Send + Sync,
        [T: KnownOutput] dyn FnOnce() -> T,
        [T: KnownOutput] dyn FnOnce() -> T + Send,
        [T: KnownOutput] dyn FnOnce() -> T + Send + Sync;
}

macro_rules! containers {
    ($([$($generics:tt)*] $ty:ty),*) => {$(
        impl<$($generics)*> KnownOutput for $ty {
            const KIND: OutputKind = T::KIND.contained();
        }
    )*};
}

containers!(
    [T: KnownOutput + ?Sized] Box<T>,
    [T: KnownOutput + ?Sized] Rc<T>,
    [T: KnownOutput + ?Sized] Arc<T>,
    [T: KnownOutput + ?Sized] &T,
    [T: KnownOutput] (T,)
);

/// Checks that a return type that is not named like a `Result` is not an alias of one.
#[track_caller]
pub const fn check_output(kind: OutputKind) {
    assert!(
        !matches!(kind, OutputKind::Result),
        "a return type that can fail is recognised by its name; write `Result`, or a name that ends in it"
    );
}

/// The `ErrorKind` of a `Result`: `<ErrorOf<Result<T, E>>>::KIND`.
#[derive(Debug)]
pub struct ErrorOf<T>(PhantomData<T>);

/// The kind of a dependency's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Any other type, which is taken for a response.
    Response,
    /// A body without a status, which a framework sends with status 200.
    Body,
}

/// The kind of any other error.
pub trait AnyError {
    /// The kind.
    const KIND: ErrorKind = ErrorKind::Response;
}

impl<T> AnyError for ErrorOf<T> {}

/// An error that is a body without a status.
pub trait BodyError {}

/// One impl for all of them, as for [`OutputOf`].
impl<T, E: BodyError> ErrorOf<Result<T, E>> {
    /// The kind.
    pub const KIND: ErrorKind = ErrorKind::Body;
}

macro_rules! bodies {
    ($($ty:ty),*) => {
        $(impl BodyError for $ty {})*
    };
}

bodies!((), String, &'static str, Cow<'static, str>, Box<str>, Vec<u8>, &'static [u8], Bytes);

/// Returns `true` if an error is a response with a status.
#[must_use]
pub const fn is_answer(kind: ErrorKind, is_response: bool) -> bool {
    is_response && matches!(kind, ErrorKind::Response)
}

/// Checks that an error is a response with a status.
#[track_caller]
pub const fn check_error(kind: ErrorKind, is_response: bool) {
    assert!(
        !matches!(kind, ErrorKind::Body),
        "this error has no status, so the refusal would be a 200; write a status beside it, as in `(StatusCode, String)`, or `Rejection`"
    );
    assert!(
        is_response,
        "this error is not a response of a framework whose feature of doorward is enabled; implement the framework's trait for it, such as axum's `IntoResponse`, or enable the feature, such as `axum08`; a dependency may return `BearerError` or `Rejection`"
    );
}
