//! `#[oauth2_bearer(flows(password(token_url = "token")), scopes("items" = "Read items."))]`

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};

use crate::attribute::{Arguments, error_at};
use crate::scheme::bearer::Bearer;
use crate::scheme::flow::{Flow, Flows};
use crate::scheme::protected::Protected;
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Protected<Bearer<OAuth2Bearer>>>("oauth2_bearer", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct OAuth2Bearer {
    flows: Flows,
    scopes: Scopes,
}

impl OwnArguments for OAuth2Bearer {
    const CREDENTIAL: Credential = Credential::BearerToken;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        let example = "#[oauth2_bearer(flows(password(token_url = \"token\")))]";
        arguments.require("flows", at, example, errors);
    }

    fn into_own(self) -> Own {
        let mut mistakes = self.flows.mistakes;
        if let Some(at) = self.flows.at
            && self.flows.flows.is_empty()
            && mistakes.is_empty()
        {
            let sentence = "a bearer scheme of OAuth2 has a flow; write `flows(password(token_url = \"token\"))`";
            mistakes.push(error_at(at, sentence));
        }
        if let Some(at) = self.scopes.span()
            && !self.flows.flows.is_empty()
            && self.flows.flows.iter().all(Flow::has_scopes)
        {
            let sentence =
                "no flow has these scopes, because each declares its own; write them in the flows";
            mistakes.push(error_at(at, sentence));
        }
        Own { flows: self.flows.flows, scopes: self.scopes, mistakes, ..Own::default() }
    }
}
