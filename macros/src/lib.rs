//! The procedural macros of the `tollgate` crate, which re-exports and documents them.
//!
//! Each macro reads its arguments, checks all of them, and emits const data and small impls. The
//! code that runs for a request is in the runtime crate.
//!
//! Editors look for the documentation here, because they do not see that of a re-export.

#![expect(missing_docs, reason = "the macros are documented where the runtime re-exports them")]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod api_key;
mod arguments;
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

use proc_macro::TokenStream;

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/oauth2.md"))]
#[proc_macro_attribute]
pub fn oauth2(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/oauth2_password_bearer.md"))]
#[proc_macro_attribute]
pub fn oauth2_password_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2_password_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/oauth2_authorization_code_bearer.md"))]
#[proc_macro_attribute]
pub fn oauth2_authorization_code_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2_authorization_code_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/oauth2_bearer.md"))]
#[proc_macro_attribute]
pub fn oauth2_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    oauth2_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/open_id_connect.md"))]
#[proc_macro_attribute]
pub fn open_id_connect(args: TokenStream, item: TokenStream) -> TokenStream {
    open_id_connect::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/http_bearer.md"))]
#[proc_macro_attribute]
pub fn http_bearer(args: TokenStream, item: TokenStream) -> TokenStream {
    http_bearer::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/http_basic.md"))]
#[proc_macro_attribute]
pub fn http_basic(args: TokenStream, item: TokenStream) -> TokenStream {
    http_basic::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/http_digest.md"))]
#[proc_macro_attribute]
pub fn http_digest(args: TokenStream, item: TokenStream) -> TokenStream {
    http_digest::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/http.md"))]
#[proc_macro_attribute]
pub fn http(args: TokenStream, item: TokenStream) -> TokenStream {
    http::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/api_key.md"))]
#[proc_macro_attribute]
pub fn api_key(args: TokenStream, item: TokenStream) -> TokenStream {
    api_key::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/PasswordRequestForm.md"))]
#[proc_macro_derive(PasswordRequestForm, attributes(password_form))]
pub fn password_request_form(item: TokenStream) -> TokenStream {
    password_request_form::expand(item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/RequestForm.md"))]
#[proc_macro_derive(RequestForm, attributes(request_form))]
pub fn request_form(item: TokenStream) -> TokenStream {
    request_form::expand(item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/Grant.md"))]
#[proc_macro_derive(Grant, attributes(grant))]
pub fn grant(item: TokenStream) -> TokenStream {
    grant::expand(item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/dependency.md"))]
#[proc_macro_attribute]
pub fn dependency(args: TokenStream, item: TokenStream) -> TokenStream {
    dependency::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/one_of.md"))]
#[proc_macro_attribute]
pub fn one_of(args: TokenStream, item: TokenStream) -> TokenStream {
    one_of::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/secured.md"))]
#[proc_macro_attribute]
pub fn secured(args: TokenStream, item: TokenStream) -> TokenStream {
    secured::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/public.md"))]
#[proc_macro_attribute]
pub fn public(args: TokenStream, item: TokenStream) -> TokenStream {
    public::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/plan.md"))]
#[proc_macro]
pub fn plan(requirement: TokenStream) -> TokenStream {
    plan::expand(requirement.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/operation.md"))]
#[proc_macro]
pub fn operation(handler: TokenStream) -> TokenStream {
    operation::expand(handler.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/layer.md"))]
#[proc_macro]
pub fn layer(requirement: TokenStream) -> TokenStream {
    layer::expand(requirement.into()).into()
}

/// In scope under a glob import alone, for its note: `#[secured]`, `#[dependency]` and `#[one_of]`
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
