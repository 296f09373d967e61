//! An estimate of the memory that the claims of a token take.

use serde_json::Value;

/// Returns about as many bytes as claims take that are kept as a `serde_json::Value`. A type that
/// reads some of them takes less.
///
/// It is not too low for any JSON, because a user who can write a claim, such as an attribute of
/// their account, must not be able to take more memory than the service has allowed.
pub(super) fn of_claims(payload: &[u8]) -> usize {
    let mut bytes = payload.len();
    let mut open = Vec::<usize>::new();
    let mut rest = payload.iter().copied();
    let mut before = b' ';
    while let Some(byte) = rest.next() {
        let taken = match byte {
            b'"' => {
                skip_text(&mut rest);
                ALLOCATION
            }
            b'[' | b'{' => {
                open.push(1);
                0
            }
            b',' => {
                let _ = open.last_mut().map(|number| *number = number.saturating_add(1));
                0
            }
            b']' | b'}' => {
                let number = open.pop().filter(|_| !matches!(before, b'[' | b'{'));
                let of_number = if byte == b']' { of_list } else { of_object };
                of_number(number.unwrap_or(0))
            }
            _ => 0,
        };
        bytes = bytes.saturating_add(taken);
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    bytes
}

/// Skips a text in JSON, after its first quote.
fn skip_text(rest: &mut impl Iterator<Item = u8>) {
    while let Some(byte) = rest.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(rest.next()),
            _ => {}
        }
    }
}

/// Returns the bytes of a list of texts.
pub(super) fn of_texts(texts: &[String]) -> usize {
    let of_text = |text: &String| text.len().saturating_add(TEXT_OF_LIST);
    texts.iter().map(of_text).fold(0, usize::saturating_add)
}

/// A `String` and an empty place, and its allocation.
const TEXT_OF_LIST: usize = 64;

/// The bytes that an allocation takes in addition to its content.
const ALLOCATION: usize = 24;

/// The place of a value. It is larger with the feature `preserve_order` of `serde_json`.
const VALUE: usize = size_of::<Value>();

/// The place of a member: its name and its value.
const MEMBER: usize = size_of::<String>() + VALUE;

/// `true` if an object is a `BTreeMap`, and not a table in the order of its members.
const IS_TREE: bool = VALUE <= 32;

/// Returns the bytes of an object with this many members.
const fn of_object(members: usize) -> usize {
    match members {
        0 => 0,
        // The first node of a tree has places for 11 members.
        1..=11 if IS_TREE => 11 * MEMBER + 2 * ALLOCATION,
        // Each further node has at least 5, and is known to another one.
        _ if IS_TREE => members.saturating_mul(2 * MEMBER + 16).saturating_add(13 * MEMBER),
        // A list that doubles, with hashes, and a table of as many numbers.
        _ => doubled(members).saturating_mul(MEMBER + 32).saturating_add(2 * ALLOCATION),
    }
}

/// Returns the bytes of a list with this many elements.
const fn of_list(elements: usize) -> usize {
    match elements {
        0 => 0,
        _ => doubled(elements).saturating_mul(VALUE).saturating_add(ALLOCATION),
    }
}

/// Returns the places of a list that doubles when it is full.
const fn doubled(elements: usize) -> usize {
    if elements <= 4 { 4 } else { elements.saturating_mul(2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_of_claims_takes_more_than_its_bytes() {
        for (payload, expected) in [
            ("1", 0),
            ("{}", 0),
            ("[ ]", 0),
            (r#"{"a":1}"#, of_object(1) + ALLOCATION),
            (r#"{"a":{"b":1,"c":[]},"d":2}"#, 2 * of_object(2) + 4 * ALLOCATION),
            ("[1,[2,3,4]]", of_list(2) + of_list(3)),
            (r#"["a\"b,[{","\\"]"#, of_list(2) + 2 * ALLOCATION),
        ] {
            assert_eq!(of_claims(payload.as_bytes()), payload.len() + expected, "{payload}");
        }
    }
}
