//! The place in a request where a scheme reads its credential, as data. Alternatives use it to find
//! out which credential a request has.

use crate::credential::api_key::ApiKey;
use crate::credential::authorization_line::after_name;
use crate::credential::kind::{ApiKeyLocation, SchemeKind};
use crate::credential::reason::RejectionReason;
use crate::credential::request_head::{AUTHORIZATION_NAME, RequestHead};
use crate::syntax::const_str;

/// The place of a credential.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// The `Authorization` header, with any authentication scheme or none.
    AnyAuthorization,
    /// The `Authorization` header, with this authentication scheme.
    Authorization(&'static str),
    /// The place of an API key.
    ApiKey(ApiKeyLocation),
}

impl Source {
    /// Returns the place where a scheme of this kind reads its credential.
    pub(crate) const fn of(kind: SchemeKind) -> Self {
        match kind {
            SchemeKind::OAuth2 => Self::AnyAuthorization,
            SchemeKind::OAuth2Bearer
            | SchemeKind::OpenIdConnect { .. }
            | SchemeKind::HttpBearer { .. } => Self::Authorization("bearer"),
            SchemeKind::HttpBasic => Self::Authorization("basic"),
            SchemeKind::Http { scheme } => Self::Authorization(scheme),
            SchemeKind::ApiKey(ApiKeyLocation::Header(name))
                if name.eq_ignore_ascii_case("authorization") =>
            {
                Self::AnyAuthorization
            }
            SchemeKind::ApiKey(location) => Self::ApiKey(location),
        }
    }

    /// Returns `true` if every credential at the other place is at this one too.
    pub(crate) const fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::AnyAuthorization, Self::AnyAuthorization | Self::Authorization(_)) => true,
            (Self::Authorization(name), Self::Authorization(other)) => {
                name.eq_ignore_ascii_case(other)
            }
            (Self::ApiKey(place), Self::ApiKey(other)) => match (place, other) {
                (ApiKeyLocation::Header(name), ApiKeyLocation::Header(other)) => {
                    name.eq_ignore_ascii_case(other)
                }
                (ApiKeyLocation::Query(name), ApiKeyLocation::Query(other))
                | (
                    ApiKeyLocation::Cookie { name, .. },
                    ApiKeyLocation::Cookie { name: other, .. },
                ) => const_str::eq(name, other),
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns `true` if a request has a credential at this place, well-formed or not. A repeated
    /// line is one, too.
    pub(crate) fn is_present<H: RequestHead + ?Sized>(self, head: &H) -> bool {
        let name = match self {
            Self::ApiKey(location) => return ApiKey::is_present(head, location),
            Self::AnyAuthorization => None,
            Self::Authorization(name) => Some(name),
        };
        match (head.line(&AUTHORIZATION_NAME), name) {
            (Ok(line), Some(name)) => after_name(line.bytes(), name).is_some(),
            (Ok(_), None) => true,
            (Err(reason), _) => reason != RejectionReason::Missing,
        }
    }
}
