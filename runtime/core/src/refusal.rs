//! Refusals: the responses to requests that no scheme, scope or dependency lets through.

pub(crate) mod bearer_challenge;
pub(crate) mod bearer_error;
pub(crate) mod challenge;
pub(crate) mod completion;
pub(crate) mod own_error;
pub(crate) mod rejection;
pub(crate) mod rejection_fault;
pub(crate) mod status;
pub(crate) mod unread_body;
