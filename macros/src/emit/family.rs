//! The two families of request contexts: one with futures that can move between threads, and one
//! with futures that stay on their thread.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Path;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Family {
    Send,
    Local,
}

impl Family {
    /// Returns an impl for each family, or for the local one alone.
    pub(crate) fn impls<T: ToTokens>(
        krate: &Path,
        is_local: bool,
        emit: impl Fn(Self) -> T,
    ) -> TokenStream {
        if is_local {
            return emit(Self::Local).into_token_stream();
        }
        let send = emit(Self::Send);
        let local = Self::local_twin(krate, || emit(Self::Local));
        quote!(#send #local)
    }

    /// Returns the local impl beside the one for contexts that are `Send`. In a build without the
    /// feature `local`, nothing is emitted, to save the compile time. The macros may have the
    /// feature because another build of the runtime in the same workspace has it, so the macro of
    /// the runtime decides in the end.
    pub(crate) fn local_twin<T: ToTokens>(
        krate: &Path,
        emit: impl FnOnce() -> T,
    ) -> Option<TokenStream> {
        let is_in_build = cfg!(any(feature = "local", test));
        is_in_build.then(|| {
            let local = emit();
            quote!(#krate::__local! { #local })
        })
    }

    /// Returns the name of a runtime item in this family, given its name in the `Send` family. The
    /// local family adds the prefix `Local` to a type and the suffix `_local` to a function.
    pub(crate) fn item(self, name: &str) -> Ident {
        let is_type = name.starts_with(char::is_uppercase);
        match self {
            Self::Send => format_ident!("{name}"),
            Self::Local if is_type => format_ident!("Local{name}"),
            Self::Local => format_ident!("{name}_local"),
        }
    }

    /// Returns the trait of the family's contexts.
    pub(crate) fn context(self) -> Ident {
        match self {
            Self::Send => format_ident!("SendContext"),
            Self::Local => format_ident!("LocalContext"),
        }
    }

    /// Returns `+ Send` if the family's futures are `Send`.
    pub(crate) fn send_bound(self) -> Option<TokenStream> {
        (self == Self::Send).then(|| quote!(+ ::core::marker::Send))
    }
}
