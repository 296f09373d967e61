//! `#[api_key(header = "x-api-key")]`

use darling::FromMeta;
use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned as _;

use crate::attribute::{Arguments, Flag, error_at};
use crate::scheme::kind::{
    CookieName, HeaderName, KeyLocation, ParameterName, Repeated, SchemeKind,
};
use crate::scheme::scopes::Scopes;
use crate::scheme::{self, Credential, Own, OwnArguments};

pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    scheme::expand::<ApiKey>("api_key", args, item)
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct ApiKey {
    header: Option<HeaderName>,
    query: Option<ParameterName>,
    cookie: Option<CookieName>,
    cross_site: Option<SpannedValue<Flag>>,
    repeated: Option<SpannedValue<Repeated>>,
    scopes: Scopes,
}

impl OwnArguments for ApiKey {
    const CREDENTIAL: Credential = Credential::ApiKey;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        if arguments.has_none_of(&["header", "query", "cookie"]) {
            let sentence = "the location of the key is missing; write `#[api_key(header = \"x-api-key\")]`, `(query = \"…\")` or \
                            `(cookie = \"…\")`";
            errors.push(error_at(at, sentence));
        }
    }

    fn into_own(self) -> Own {
        let Self { header, query, cookie, cross_site, repeated, scopes } = self;
        let mut mistakes = Vec::new();
        if cookie.is_none() && (header.is_some() || query.is_some()) {
            if let Some(cross_site) = &cross_site {
                let sentence =
                    "only a cookie is sent by requests of other sites; remove `cross_site`";
                mistakes.push(error_at(cross_site.span(), sentence));
            }
            if let Some(repeated) = &repeated {
                let sentence = "only a cookie is sent twice by a browser itself; remove `repeated`";
                mistakes.push(error_at(repeated.span(), sentence));
            }
        }
        let cross_site = cross_site.is_some_and(|flag| flag.0);
        let locations = [
            header.map(|HeaderName(name)| (KeyLocation::Header, name)),
            query.map(|ParameterName(name)| (KeyLocation::Query, name)),
            cookie.map(|CookieName(name)| (KeyLocation::Cookie, name)),
        ];
        let mut written = locations.into_iter().flatten();
        let kind = match written.next() {
            None => SchemeKind::Misplaced,
            Some((location, name)) => {
                let takes_first = repeated.is_some();
                SchemeKind::ApiKey { location, name, cross_site, takes_first }
            }
        };
        for (_, name) in written {
            let sentence = "an API key has one location; declare a second scheme, and combine the two with `#[one_of]`";
            mistakes.push(error_at(name.span(), sentence));
        }
        Own { kind, scopes, mistakes, ..Own::default() }
    }
}
