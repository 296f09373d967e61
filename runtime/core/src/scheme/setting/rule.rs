//! The rules for the values of a scheme's configuration. They are the same for a literal, a
//! constant and a [`Setting`](crate::scheme::Setting).

use crate::syntax::const_str::fail;
use crate::syntax::grammar::{is_realm, is_token};
use crate::syntax::url;

/// The longest name of a header with an API key.
pub(crate) const MAX_HEADER_NAME: usize = 128;

/// The rule for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// A URL of a flow or of OpenID Connect, absolute or relative.
    Url,
    /// The realm of a challenge.
    Realm,
    /// The identifier of a protected resource
    /// ([RFC 9728, 1.2](https://www.rfc-editor.org/rfc/rfc9728#section-1.2)).
    Resource,
    /// The issuer of an authorization server
    /// ([RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2)).
    Issuer,
    /// The name of a header with an API key
    /// ([RFC 9110, 5.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.1)).
    HeaderName,
    /// The name of a parameter in the query.
    ParameterName,
    /// The name of a cookie
    /// ([RFC 6265, 4.1.1](https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1)).
    CookieName,
}

/// A mistake in a value, as the end of a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RuleFault {
    rule: Rule,
    text: &'static str,
}

impl Rule {
    /// Returns the word for such a value.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Url => "URL",
            Self::Realm => "realm",
            Self::Resource => "resource",
            Self::Issuer => "issuer",
            Self::HeaderName => "header",
            Self::ParameterName => "parameter",
            Self::CookieName => "cookie",
        }
    }

    /// Finds the mistake in a value.
    pub(crate) const fn fault(self, value: &str) -> Option<RuleFault> {
        let text = match self {
            Self::Url => fault_of_url(value),
            Self::Realm if is_realm(value) => None,
            Self::Realm => Some("must consist of visible ASCII and spaces, without `\"` and `\\`"),
            Self::Resource => url::fault(value),
            Self::Issuer => match url::fault(value) {
                None if has_query(value) => {
                    Some("must have no query; remove `?` and what follows it")
                }
                fault => fault,
            },
            Self::HeaderName | Self::ParameterName | Self::CookieName if value.is_empty() => {
                Some("name must not be empty")
            }
            Self::HeaderName => fault_of_header_name(value),
            Self::CookieName if !is_token(value) => {
                Some("name must consist of letters, digits, `-` and `_`")
            }
            Self::ParameterName | Self::CookieName => None,
        };
        match text {
            Some(text) => Some(RuleFault { rule: self, text }),
            None => None,
        }
    }

    /// Checks a value at compile time.
    #[track_caller]
    pub(crate) const fn assert(self, value: &str) {
        if let Some(fault) = self.fault(value) {
            fault.panic();
        }
    }
}

impl RuleFault {
    pub(crate) const fn text(self) -> &'static str {
        self.text
    }

    /// Reports the mistake at compile time.
    #[track_caller]
    #[allow(clippy::panic, reason = "evaluated at compile time, where a panic is a compile error")]
    pub(crate) const fn panic(self) -> ! {
        let article = match self.rule {
            Rule::Issuer => "an",
            _ => "a",
        };
        fail!("{} {} {}", article, self.rule.noun(), self.text);
    }
}

/// Returns what is wrong with a URL of a description. It is kept as written, so most is allowed.
const fn fault_of_url(url: &str) -> Option<&'static str> {
    if url.is_empty() {
        return Some("must not be empty");
    }
    let mut rest = url.as_bytes();
    while let [byte, tail @ ..] = rest {
        // U+0080 to U+009F are control characters too: C2 80 to C2 9F.
        if byte.is_ascii_control() || *byte == 0xc2 && matches!(tail, [0x80..=0x9f, ..]) {
            return Some("must not have control characters");
        }
        rest = tail;
    }
    None
}

const fn fault_of_header_name(name: &str) -> Option<&'static str> {
    if name.eq_ignore_ascii_case("cookie") {
        Some(
            "name must not be `Cookie`; write `#[api_key(cookie = \"…\")]` with the name of the cookie",
        )
    } else if name.len() > MAX_HEADER_NAME {
        Some("name must have at most 128 characters")
    } else if !is_token(name) {
        Some("name must consist of letters, digits and `-`")
    } else {
        None
    }
}

const fn has_query(url: &str) -> bool {
    let mut rest = url.as_bytes();
    while let [byte, tail @ ..] = rest {
        if *byte == b'?' {
            return true;
        }
        rest = tail;
    }
    false
}
