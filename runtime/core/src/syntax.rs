//! The ground: syntax that several rooms share, and that knows nothing of requests.

pub(crate) mod const_str;
pub(crate) mod debug_text;
pub(crate) mod grammar;
pub(crate) mod json;
pub(crate) mod opaque;
pub(crate) mod secret;
pub(crate) mod url;
pub(crate) mod urlencoded;
