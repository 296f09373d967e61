//! `#[http(scheme = "Negotiate")]` and `#[http_digest]`

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};
use syn::LitStr;

use crate::arguments::Arguments;
use crate::scheme::kind::{AuthScheme, Kind};
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Http>("http", args, item)
}

pub(crate) fn expand_digest(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<HttpDigest>("http_digest", args, item)
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
            kind: Kind::Http {
                scheme: self.scheme.map(|AuthScheme(scheme)| scheme),
            },
            scopes: self.scopes,
            ..Own::default()
        }
    }
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct HttpDigest {
    scopes: Scopes,
}

impl OwnArguments for HttpDigest {
    const CREDENTIAL: Credential = Credential::HttpCredentials;

    fn into_own(self) -> Own {
        Own {
            kind: Kind::Http {
                scheme: Some(LitStr::new("Digest", Span::call_site())),
            },
            scopes: self.scopes,
            ..Own::default()
        }
    }
}
