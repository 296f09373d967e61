//! `#[http_basic(realm = "admin")]`

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};

use crate::arguments::Arguments;
use crate::scheme::kind::{Kind, Realm};
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<HttpBasic>("http_basic", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct HttpBasic {
    realm: Option<Realm>,
}

impl OwnArguments for HttpBasic {
    const CREDENTIAL: Credential = Credential::BasicCredentials;

    fn require(_arguments: &Arguments, _at: Span, _errors: &mut Accumulator) {}

    fn into_own(self) -> Own {
        Own {
            kind: Kind::HttpBasic {
                realm: self.realm.map(|Realm(realm)| realm),
            },
            ..Own::default()
        }
    }
}
