//! Tools for tests: [`Overrides`] replaces dependencies, a `TestAuthority` signs tokens,
//! [`RefuseUndecided`] finds routes that are open by mistake, and [`Callers`] ask each route.

#[cfg(any(feature = "axum08", feature = "openapi"))]
pub(crate) mod access_matrix;
pub(crate) mod answer;
#[cfg(any(feature = "axum08", feature = "openapi"))]
pub(crate) mod callers;
pub(crate) mod credential;

#[cfg(any(feature = "axum08", feature = "openapi"))]
pub use self::access_matrix::{AccessMatrix, MatrixError};
pub use self::answer::Answer;
#[cfg(any(feature = "axum08", feature = "openapi"))]
pub use self::callers::Callers;
pub use self::credential::CallerCredential;
#[cfg(feature = "tower")]
pub use crate::adapters::http::refuse_undecided::RefuseUndecided;
pub use crate::dependency::overrides::{
    Overrides, Replace, ReplaceForRequest, ReplaceWithArguments,
};
