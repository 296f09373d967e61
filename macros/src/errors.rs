//! The mistakes in one item, which are all reported at once.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Error;
use syn::spanned::Spanned;

/// The mistakes found so far. As tokens they are compile errors, each at the user's token.
#[derive(Default)]
pub(crate) struct Errors(Vec<Error>);

impl Errors {
    /// Reports a mistake.
    pub(crate) fn push(&mut self, at: &(impl Spanned + ?Sized), sentence: impl Display) {
        self.0.push(Error::new(at.span(), sentence));
    }

    /// Returns what was read, or reports why it could not be.
    pub(crate) fn handle<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.0.push(error)).ok()
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().map(Error::to_compile_error));
    }
}
