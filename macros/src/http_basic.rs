//! `#[http_basic(realm = "admin")]`

use darling::FromMeta;
use proc_macro2::TokenStream;

use crate::scheme::kind::{Realm, SchemeKind};
use crate::scheme::protected::Space;
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<HttpBasic>("http_basic", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct HttpBasic {
    realm: Option<Realm>,
    scopes: Scopes,
}

impl OwnArguments for HttpBasic {
    const CREDENTIAL: Credential = Credential::BasicCredentials;

    fn into_own(self) -> Own {
        Own {
            kind: SchemeKind::HttpBasic,
            scopes: self.scopes,
            space: Space::of_realm(self.realm),
            ..Own::default()
        }
    }
}
