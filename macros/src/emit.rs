//! Code that more than one macro emits.

pub(crate) mod cached;
pub(crate) mod checks;
pub(crate) mod extracted;
pub(crate) mod family;
