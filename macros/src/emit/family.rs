//! The two families of request contexts: futures that move between threads, and futures that stay on theirs.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Family {
    Send,
    Local,
}

impl Family {
    /// An item of the runtime, by its name in the `Send` family; `Local` stands in front of a type, `_local` behind a function.
    pub(crate) fn item(self, name: &str) -> Ident {
        let is_type = name.starts_with(char::is_uppercase);
        match self {
            Self::Send => format_ident!("{name}"),
            Self::Local if is_type => format_ident!("Local{name}"),
            Self::Local => format_ident!("{name}_local"),
        }
    }

    /// The trait of the family's contexts.
    pub(crate) fn context(self) -> Ident {
        match self {
            Self::Send => format_ident!("SendContext"),
            Self::Local => format_ident!("LocalContext"),
        }
    }

    /// `+ Send`, where the futures are.
    pub(crate) fn send_bound(self) -> Option<TokenStream> {
        (self == Self::Send).then(|| quote!(+ ::core::marker::Send))
    }
}
