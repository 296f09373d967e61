//! What the targets hold the crate against.

#[path = "../../src/by_the_book.rs"]
pub mod by_the_book;
