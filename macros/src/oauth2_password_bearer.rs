//! `#[oauth2_password_bearer(token_url = "token")]`

use proc_macro2::TokenStream;

use crate::scheme;
use crate::scheme::bearer::Bearer;
use crate::scheme::flow::{FlowKind, TokenFlow};
use crate::scheme::one_flow::{BearerFlow, OneFlow};
use crate::scheme::protected::Protected;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Protected<Bearer<OneFlow<TokenFlow>>>>(TokenFlow::ATTRIBUTE, args, item)
}

impl BearerFlow for TokenFlow {
    const ATTRIBUTE: &'static str = "oauth2_password_bearer";
    const KIND: FlowKind = FlowKind::Password;
}
