//! `#[oauth2(flows(password(token_url = "token")))]`

use darling::FromMeta;
use proc_macro2::TokenStream;

use crate::scheme::flow::Flows;
use crate::scheme::protected::Protected;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Protected<OAuth2>>("oauth2", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct OAuth2 {
    flows: Flows,
}

impl OwnArguments for OAuth2 {
    const CREDENTIAL: Credential = Credential::AuthorizationValue;

    fn into_own(self) -> Own {
        Own { flows: self.flows.flows, mistakes: self.flows.mistakes, ..Own::default() }
    }
}
