//! `#[security(…)]` where no other attribute reads it.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use crate::attribute::error_at;

/// Returns the item with the error about the attribute.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let sentence = "`#[security(…)]` belongs on a parameter of a `#[secured]` or `#[dependency]` function, or on a variant of a \
                    `#[one_of]`; write `#[secured(…)]` for a guard";
    let error = error_at(Span::call_site(), sentence).write_errors();
    quote!(#item #error)
}
