//! `verified = Claims, by = Tokens`: a scheme that verifies its tokens.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, Type};

use super::own_error::OwnError;
use crate::emit::checks::respanned;

pub(crate) struct Verification {
    pub(super) claims: Type,
    /// The type that verifies, if it is not the runtime's.
    pub(super) verifier: Option<Type>,
}

impl Verification {
    /// Returns the impls that make the scheme a dependency, and the check of the verifier, whose
    /// error is shown at the last of the two types.
    pub(super) fn dependency(
        &self,
        scheme: &Ident,
        own_error: Option<&OwnError>,
        krate: &Path,
    ) -> TokenStream {
        let Self { claims, verifier } = self;
        let at = verifier.as_ref().unwrap_or(claims).span();
        let name = match verifier {
            Some(_) => quote!(#krate::__verified!),
            None => quote!(#krate::__verified_jwt!),
        };
        let name = respanned(name, at);
        let verifier = verifier.iter();
        let own_error = own_error.map(|error| error.arguments(scheme, krate));
        quote_spanned!(at=> #name(#scheme, #claims #(, #verifier)*; #own_error);)
    }
}
