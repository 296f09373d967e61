//! `#[open_id_connect(url = "https://id.example.com/.well-known/openid-configuration")]`

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};

use crate::attribute::{Arguments, Url};
use crate::scheme::bearer::Bearer;
use crate::scheme::kind::SchemeKind;
use crate::scheme::protected::Protected;
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Protected<Bearer<OpenIdConnect>>>("open_id_connect", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct OpenIdConnect {
    url: Option<Url>,
    scopes: Scopes,
}

impl OwnArguments for OpenIdConnect {
    const CREDENTIAL: Credential = Credential::BearerToken;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        let example = "#[open_id_connect(url = \"/.well-known/openid-configuration\")]";
        arguments.require("url", at, example, errors);
    }

    fn into_own(self) -> Own {
        Own {
            kind: SchemeKind::OpenIdConnect { url: self.url },
            scopes: self.scopes,
            ..Own::default()
        }
    }
}
