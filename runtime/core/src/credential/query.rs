//! Finds a parameter in the query of a request.

use std::borrow::Cow;

use crate::credential::reason::{RejectionReason, only};
use crate::syntax::urlencoded::{decode, is_name};

/// Returns the only parameter of this name, decoded as a form
/// ([WHATWG URL, 5.1](https://url.spec.whatwg.org/#urlencoded-parsing)). It is borrowed if nothing
/// had to be decoded.
pub(super) fn parameter<'q>(query: &'q str, name: &str) -> Result<Cow<'q, str>, RejectionReason> {
    match encoded(query, name)? {
        value if value.contains(['%', '+']) => match decode(value.as_bytes()) {
            Ok(value) => Ok(value.into()),
            Err(_) => Err(RejectionReason::Malformed),
        },
        value => Ok(value.into()),
    }
}

/// Returns the only parameter of this name, as it was sent.
pub(super) fn encoded<'q>(query: &'q str, name: &str) -> Result<&'q str, RejectionReason> {
    let value = only(query.split('&').filter_map(|pair| {
        let (raw_name, value) = pair.split_once('=').unwrap_or((pair, ""));
        is_name(raw_name.as_bytes(), name).then_some(value)
    }))?;
    if value.is_empty() { Err(RejectionReason::Missing) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_parameter_of_the_name_is_decoded() {
        for (query, value) in [
            ("key=v", "v"),
            ("a=b&key=v&c", "v"),
            ("k%65y=v", "v"),
            ("key=a+b%20c", "a b c"),
            ("key=%C3%A9", "é"),
            ("key=a%zz", "a%zz"),
            ("key=a=b", "a=b"),
        ] {
            assert_eq!(parameter(query, "key").as_deref(), Ok(value), "{query}");
        }
        assert!(matches!(parameter("key=v", "key"), Ok(Cow::Borrowed(_))));
    }

    #[test]
    fn nothing_repeated_empty_or_malformed_is_taken() {
        for query in ["", "key", "key=", "Key=a", "a=key", "keys=a"] {
            assert_eq!(parameter(query, "key"), Err(RejectionReason::Missing), "{query}");
        }
        for query in ["key=a&key=a", "key=&key=a", "key&k%65y=a"] {
            assert_eq!(parameter(query, "key"), Err(RejectionReason::Repeated), "{query}");
        }
        assert_eq!(parameter("key=%ff", "key"), Err(RejectionReason::Malformed));
    }
}
