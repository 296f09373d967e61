//! `#[http_bearer(format = "JWT")]`

use darling::FromMeta;
use proc_macro2::TokenStream;

use crate::attribute::Literal;
use crate::scheme::bearer::Bearer;
use crate::scheme::kind::SchemeKind;
use crate::scheme::protected::Protected;
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<Protected<Bearer<HttpBearer>>>("http_bearer", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct HttpBearer {
    format: Option<Literal>,
    scopes: Scopes,
}

impl OwnArguments for HttpBearer {
    const CREDENTIAL: Credential = Credential::BearerToken;

    fn into_own(self) -> Own {
        Own {
            kind: SchemeKind::HttpBearer { format: self.format.map(|Literal(format)| format) },
            scopes: self.scopes,
            ..Own::default()
        }
    }
}
