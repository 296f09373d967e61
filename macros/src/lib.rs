//! The procedural macros of the `tollgate` crate, which re-exports and documents them.
//!
//! Each macro reads its arguments, checks all of them, and emits const data and small impls. The
//! code that runs for a request is in the runtime crate.
//!
//! Editors look for the documentation here, because they do not see that of a re-export.

#![allow(
    missing_docs,
    reason = "the macros are documented where the runtime re-exports them"
)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod arguments;
mod dependency;
mod emit;
mod function;
mod layer;
mod oauth2;
mod oauth2_authorization_code_bearer;
mod oauth2_password_bearer;
mod operation;
mod password_request_form;
mod plan;
mod scheme;
mod secured;
#[cfg(test)]
mod tests;

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

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/password_request_form.md"))]
#[proc_macro_derive(PasswordRequestForm, attributes(password_form))]
pub fn password_request_form(item: TokenStream) -> TokenStream {
    password_request_form::expand(item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/dependency.md"))]
#[proc_macro_attribute]
pub fn dependency(args: TokenStream, item: TokenStream) -> TokenStream {
    dependency::expand(args.into(), &item.into()).into()
}

#[cfg_attr(rust_analyzer, doc = include_str!("../docs/secured.md"))]
#[proc_macro_attribute]
pub fn secured(args: TokenStream, item: TokenStream) -> TokenStream {
    secured::expand(args.into(), &item.into()).into()
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
