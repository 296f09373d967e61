//! An estimate of the memory that a remembered token takes.

/// Returns as many bytes as claims take at most that are kept as a `serde_json::Value`. A type that
/// reads some of them takes less.
///
/// The structure of the JSON says it: a map has nodes with places for 11 members, half of which may
/// be empty, and a list may have places for twice its elements. Such characters in a text count as
/// well.
pub(super) fn of_claims(payload: &[u8]) -> usize {
    let of_byte = |byte: &u8| match byte {
        b'{' => MAP,
        b':' => MEMBER,
        b'[' => LIST,
        b',' => ELEMENT,
        _ => 1,
    };
    payload.iter().map(of_byte).fold(0, usize::saturating_add)
}

/// Returns the bytes of a list of texts.
pub(super) fn of_texts(texts: &[String]) -> usize {
    let of_text = |text: &String| text.len().saturating_add(TEXT);
    texts.iter().map(of_text).fold(0, usize::saturating_add)
}

// A `Value` has 32 bytes, or 72 with the feature `preserve_order` of `serde_json`.

/// The first places of a map. A node of a `BTreeMap` has 632 bytes.
const MAP: usize = 640;
/// The places of a member that are not those of an element, and the allocation of its name.
const MEMBER: usize = 112;
/// The first four places of a list.
const LIST: usize = 304;
/// An element or a member and an empty place, and the allocation of its value.
const ELEMENT: usize = 160;
/// A `String` and an empty place, and its allocation.
const TEXT: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_of_claims_takes_more_than_its_bytes() {
        for (payload, bytes) in [
            ("1", 1),
            ("{}", MAP + 1),
            (r#"{"a":1}"#, MAP + MEMBER + 5),
            ("[1,2]", LIST + ELEMENT + 3),
            (r#""a\"b""#, 6),
        ] {
            assert_eq!(of_claims(payload.as_bytes()), bytes, "{payload}");
        }
    }
}
