//! `#[oauth2_authorization_code_bearer(authorization_url = "authorize", token_url = "token")]`

use proc_macro2::TokenStream;

use crate::scheme;
use crate::scheme::bearer::Bearer;
use crate::scheme::flow::{CodeFlow, FlowKind};
use crate::scheme::one_flow::{BearerFlow, OneFlow};
use crate::scheme::protected::Protected;

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Protected<Bearer<OneFlow<CodeFlow>>>>(CodeFlow::ATTRIBUTE, args, item)
}

impl BearerFlow for CodeFlow {
    const ATTRIBUTE: &'static str = "oauth2_authorization_code_bearer";
    const KIND: FlowKind = FlowKind::AuthorizationCode;
}
