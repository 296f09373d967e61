//! OAuth2 security for Rust web services, declared in attributes.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod adapters;
mod authorization;
mod credential;
mod flow;
mod form;
mod rejection;
mod scheme;

#[doc(hidden)]
pub mod __rt;

pub use secrecy;

pub use crate::authorization::Refusal;
pub use crate::credential::{AuthorizationValue, BearerToken, Credential, InvalidToken, Yield};
pub use crate::flow::{Flow, Flows, Scope};
pub use crate::form::body::FormBody;
pub use crate::form::error::{Fault, FaultKind, FormError};
pub use crate::form::password::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict};
pub use crate::form::scopes::{FromScopes, Scopes};
pub use crate::form::text::{FromText, InvalidText};
pub use crate::form::{FormConfig, OwnedForm, PasswordForm, PasswordRequestForm};
pub use crate::rejection::Rejection;
pub use crate::scheme::{Scheme, SchemeConfig, Security, YieldRef};

#[cfg(feature = "macros")]
pub use tollgate_macros::{
    PasswordRequestForm, oauth2, oauth2_authorization_code_bearer, oauth2_password_bearer,
};
