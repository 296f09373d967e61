//! `verified = Claims, by = Tokens`: a scheme that verifies its tokens.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, Type};

use crate::emit::checks::respanned;

pub(crate) struct Verification {
    pub(super) claims: Type,
    /// The type that verifies, if it is not the runtime's.
    pub(super) verifier: Option<Type>,
}

impl Verification {
    /// Returns the type of the verifier.
    fn verifier(&self, krate: &Path) -> TokenStream {
        let claims = &self.claims;
        match &self.verifier {
            Some(verifier) => verifier.to_token_stream(),
            None => quote_spanned!(claims.span()=> #krate::__verifier!(#claims)),
        }
    }

    /// Returns the check that the verifier yields the claims.
    pub(super) fn check(&self, krate: &Path) -> TokenStream {
        let (claims, verifier) = (&self.claims, self.verifier(krate));
        let at = self.verifier.as_ref().unwrap_or(claims).span();
        let verifies = respanned(quote!(#krate::bounds::Verifies), at);
        quote_spanned! {at=> {
            const fn verifies<V: #verifies<#claims>>() {}
            verifies::<#verifier>();
        }}
    }

    /// Returns the impls that make the scheme a dependency.
    pub(super) fn dependency(&self, scheme: &Ident, krate: &Path) -> TokenStream {
        let (claims, verifier) = (&self.claims, self.verifier(krate));
        quote!(#krate::__verified!(#scheme, #claims, #verifier);)
    }
}
