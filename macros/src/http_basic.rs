//! `#[http_basic(realm = "admin")]`

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};

use crate::attribute::{Arguments, Flag, error_at};
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
    charset: Flag,
    scopes: Scopes,
}

impl OwnArguments for HttpBasic {
    const CREDENTIAL: Credential = Credential::BasicCredentials;

    fn require(arguments: &Arguments, _: Span, errors: &mut Accumulator) {
        if let Some(charset) = arguments.span_of("charset")
            && arguments.has_none_of(&["realm"])
        {
            let sentence =
                "a challenge says the charset after its realm; write one: `realm = \"admin\"`";
            errors.push(error_at(charset, sentence));
        }
    }

    fn into_own(self) -> Own {
        Own {
            kind: SchemeKind::HttpBasic,
            scopes: self.scopes,
            space: Space::of_realm(self.realm),
            charset: self.charset.0,
            ..Own::default()
        }
    }
}
