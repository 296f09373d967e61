//! `#[derive(PasswordRequestForm)]`

use proc_macro2::TokenStream;

use crate::form::{self, FormKind};

pub(crate) fn expand(item: TokenStream) -> TokenStream {
    form::expand(FormKind::Password, item)
}
