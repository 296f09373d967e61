//! `#[oauth2_password_bearer(token_url = "token")]` and
//! `#[oauth2_authorization_code_bearer(authorization_url = "authorize", token_url = "token")]`, which differ in their one flow.

use proc_macro2::TokenStream;

use crate::flow::{Flow, FlowKind};
use crate::scheme::{self, Credential, Own};

pub(crate) fn expand(
    attribute: &str,
    kind: FlowKind,
    args: TokenStream,
    item: &TokenStream,
) -> TokenStream {
    let example = format!("#[{attribute}({})]", kind.required_parameters());
    scheme::expand(attribute, args, item, |ident, params| Own {
        credential: Credential::BearerToken,
        flows: vec![Flow::take(kind, params, ident.span(), &example)],
        strict: params.flag("strict").unwrap_or(false),
    })
}
