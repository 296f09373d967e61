//! What the targets hold the crate against, and the grants that it is held with.

#[path = "../../../src/by_the_book.rs"]
pub mod by_the_book;
#[path = "../../../src/grants.rs"]
pub mod grants;
#[path = "../../../src/shown.rs"]
pub mod shown;

pub use self::by_the_book::without_blanks;
