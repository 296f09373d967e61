//! `#[api_key(header = "x-api-key")]`

use std::mem;

use darling::FromMeta;
use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::{Span, TokenStream};
use syn::LitStr;

use crate::arguments::{Arguments, Flag, error_at};
use crate::scheme::kind::{CookieName, HeaderName, Kind, ParameterName, Place};
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
    scopes: Scopes,
}

impl ApiKey {
    fn places(self) -> impl Iterator<Item = (Place, LitStr)> {
        [
            self.header.map(|HeaderName(name)| (Place::Header, name)),
            self.query.map(|ParameterName(name)| (Place::Query, name)),
            self.cookie.map(|CookieName(name)| (Place::Cookie, name)),
        ]
        .into_iter()
        .flatten()
    }
}

impl OwnArguments for ApiKey {
    const CREDENTIAL: Credential = Credential::ApiKey;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        if arguments.has_none_of(&["header", "query", "cookie"]) {
            let sentence = "the place of the key is missing; write `#[api_key(header = \"x-api-key\")]`, `(query = \"…\")` or \
                            `(cookie = \"…\")`";
            errors.push(error_at(at, sentence));
        }
    }

    fn into_own(mut self) -> Own {
        let mut scopes = mem::take(&mut self.scopes);
        let mut mistakes = scopes.take_mistakes();
        if let Some(cross_site) = &self.cross_site
            && self.cookie.is_none()
            && (self.header.is_some() || self.query.is_some())
        {
            let sentence = "only a cookie is sent by requests of other sites; remove `cross_site`";
            mistakes.push(error_at(cross_site.span(), sentence));
        }
        let cross_site = self.cross_site.as_ref().is_some_and(|flag| flag.0);
        let mut places = self.places();
        let place = places.next();
        for (_, name) in places {
            let sentence = "a key has one place; declare a second scheme, and combine the two with `#[one_of]`";
            mistakes.push(error_at(name.span(), sentence));
        }
        let kind = match place {
            None => Kind::Unknown,
            Some((place, name)) => Kind::ApiKey {
                place,
                name,
                cross_site,
            },
        };
        Own {
            kind,
            scopes,
            mistakes,
            ..Own::default()
        }
    }
}
