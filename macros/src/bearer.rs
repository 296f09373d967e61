//! `#[oauth2_password_bearer(token_url = "token")]` and
//! `#[oauth2_authorization_code_bearer(authorization_url = "authorize", token_url = "token")]`, which differ in their one flow.

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};

use crate::arguments::{Arguments, Flag};
use crate::scheme::flow::{CodeFlow, FlowArguments, FlowKind, TokenFlow};
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand_password(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Bearer<TokenFlow>>(TokenFlow::ATTRIBUTE, args, item)
}

pub(crate) fn expand_authorization_code(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Bearer<CodeFlow>>(CodeFlow::ATTRIBUTE, args, item)
}

/// The one flow of a bearer scheme.
trait BearerFlow: FlowArguments {
    const ATTRIBUTE: &'static str;
    const KIND: FlowKind;
}

impl BearerFlow for TokenFlow {
    const ATTRIBUTE: &'static str = "oauth2_password_bearer";
    const KIND: FlowKind = FlowKind::Password;
}

impl BearerFlow for CodeFlow {
    const ATTRIBUTE: &'static str = "oauth2_authorization_code_bearer";
    const KIND: FlowKind = FlowKind::AuthorizationCode;
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct Bearer<F: BearerFlow> {
    strict: Flag,
    #[darling(flatten)]
    flow: F,
}

impl<F: BearerFlow> OwnArguments for Bearer<F> {
    const CREDENTIAL: Credential = Credential::BearerToken;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        F::KIND.require(arguments, at, &format!("#[{}(…)]", F::ATTRIBUTE), errors);
    }

    fn into_own(self) -> Own {
        Own {
            flows: vec![self.flow.into_flow(F::KIND)],
            strict: self.strict.0,
            mistakes: Vec::new(),
        }
    }
}
