//! What `#[secured]` and `#[public]` make of a handler alike.

mod framework;
mod marker;
mod other;
mod utoipa;

pub(crate) use self::framework::{is_named, named};
pub(crate) use self::marker::marker;
pub(crate) use self::other::{is_ours, take_others};
pub(crate) use self::utoipa::documented;
