//! `#[http(scheme = "Negotiate")]`

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};

use crate::attribute::Arguments;
use crate::scheme::kind::{AuthScheme, SchemeKind};
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Http>("http", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct Http {
    scheme: Option<AuthScheme>,
    scopes: Scopes,
}

impl OwnArguments for Http {
    const CREDENTIAL: Credential = Credential::HttpCredentials;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        arguments.require("scheme", at, "#[http(scheme = \"Negotiate\")]", errors);
    }

    fn into_own(self) -> Own {
        Own {
            kind: SchemeKind::Http { scheme: self.scheme.map(|AuthScheme(scheme)| scheme) },
            scopes: self.scopes,
            ..Own::default()
        }
    }
}
