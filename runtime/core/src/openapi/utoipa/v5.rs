//! utoipa 5, where a document has no operations but those of its paths.

// `either.rs` takes the crate from here.
use utoipa5 as utoipa;

#[path = "either.rs"]
#[allow(clippy::duplicate_mod, reason = "`utoipa` is another crate there")]
pub mod either;

use self::either::{Add, Place, operations};
use self::utoipa::openapi::OpenApi;
use crate::openapi::DocumentError;

/// Calls `add` with every operation of a document.
fn visit(openapi: &mut OpenApi, add: Add<'_>) -> Result<(), DocumentError> {
    for (path, item) in &mut openapi.paths.paths {
        let place = Place::new(path, item, true);
        for (method, operation) in operations(item) {
            add(&place, method, operation)?;
        }
    }
    Ok(())
}
