//! `extract`: the type of the value as an extractor of the framework.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;

use super::Dependency;
use crate::emit::checks::is_type;
use crate::emit::extracted;
use crate::types::{is_foreign, is_plain};

impl Dependency {
    /// Returns the mistake of a type that cannot be an extractor, and its place.
    pub(super) fn extractor_mistake(&self) -> Option<(Span, &'static str)> {
        self.extract?;
        match self.outcome.value_as_written() {
            Some(value) if is_foreign(value) => Some((
                value.span(),
                "`extract` implements a trait of the framework for this type, so it must be declared in this crate; wrap it: \
                 `struct CurrentUser(…);`",
            )),
            Some(_) => None,
            None => Some((
                self.outcome.returned().span(),
                "`extract` implements a trait of the framework for the type of the value, which this alias hides; write \
                 `Result<CurrentUser, …>`",
            )),
        }
    }

    /// Returns the impls that make the type of the value an extractor.
    pub(super) fn extractor(&self) -> Option<TokenStream> {
        self.extractor_of(&self.marker)
    }

    /// Returns the impls for a function that cannot be a dependency, so handlers that take its
    /// value cause no further errors. There are none if the type may be the mistake.
    pub(super) fn stub_extractor(&self) -> Option<TokenStream> {
        let (krate, value) = (&self.krate, self.outcome.value_as_written()?);
        let is_good = !is_foreign(value) && is_plain(value);
        is_good.then(|| self.extractor_of(&quote!(#krate::__rt::Broken<#value>))).flatten()
    }

    /// Returns the impls, with the dependency that fills the value.
    fn extractor_of(&self, dependency: &impl ToTokens) -> Option<TokenStream> {
        let value = self.outcome.value_as_written()?;
        self.extract.map(|at| extracted::impls(&self.krate, self.local, dependency, value, at))
    }

    /// Returns the checks of the extractor, and that the type is that of the value, even behind an
    /// alias.
    pub(super) fn extractor_check(&self) -> TokenStream {
        let Self { krate, marker, .. } = self;
        let Some(at) = self.extract else {
            return TokenStream::new();
        };
        let value = self.outcome.value_as_written();
        let is_value = value
            .filter(|_| self.outcome.is_alias())
            .map(|value| is_type(krate, &self.outcome.value(), value));
        let extracted = extracted::check(krate, marker, at);
        quote!(#is_value #extracted)
    }
}
