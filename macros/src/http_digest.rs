//! `#[http_digest]`

use darling::FromMeta;
use proc_macro2::{Span, TokenStream};
use syn::LitStr;

use crate::scheme::kind::SchemeKind;
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<HttpDigest>("http_digest", args, item)
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
            kind: SchemeKind::Http { scheme: Some(LitStr::new("Digest", Span::call_site())) },
            scopes: self.scopes,
            ..Own::default()
        }
    }
}
