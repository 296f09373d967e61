//! An estimate of the memory that a remembered token takes.

/// Returns as many bytes as claims take at most that are kept as a `serde_json::Value`. A type that
/// reads some of them takes less.
///
/// The structure of the JSON says it: a map has nodes with places for 11 members, half of which may
/// be empty, and a list may have places for twice its elements.
pub(super) fn of_claims(payload: &[u8]) -> usize {
    let mut bytes: usize = 0;
    let (mut in_string, mut is_escaped) = (false, false);
    for byte in payload {
        let more = match byte {
            b'{' if !in_string => MAP,
            b':' if !in_string => MEMBER,
            b'[' if !in_string => LIST,
            b',' if !in_string => ELEMENT,
            _ => 1,
        };
        bytes = bytes.saturating_add(more);
        in_string ^= *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
    }
    bytes
}

/// Returns the bytes of a list of texts.
pub(super) fn of_texts(texts: &[String]) -> usize {
    let of_text = |text: &String| text.len().saturating_add(TEXT);
    texts.iter().map(of_text).fold(0, usize::saturating_add)
}

/// A node of a map.
const MAP: usize = 640;
/// The share of a member in nodes that are half empty, and the allocations of its name and value.
const MEMBER: usize = 160;
/// The first four places of a list.
const LIST: usize = 144;
/// An element and an empty place, and the allocation of its value.
const ELEMENT: usize = 80;
/// A `String` and an empty place, and its allocation.
const TEXT: usize = 64;
