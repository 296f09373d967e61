//! What the targets hold the crate against.

#[path = "../../src/by_the_book.rs"]
pub mod by_the_book;

/// Removes the spaces and tabs at both ends, one after the other.
#[must_use]
pub fn without_blanks(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = text.iter().take_while(|byte| is_blank(byte)).count();
    let end = text.iter().rev().take_while(|byte| is_blank(byte)).count();
    text.get(start..text.len() - end).unwrap_or_default()
}
