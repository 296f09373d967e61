//! What the server takes on each framework: the library, and what its routes show.

pub(crate) use std::error::Error;
pub(crate) use std::net::TcpListener;

pub(crate) use tollgate::form::FormError;
pub(crate) use tollgate::token_endpoint::{
    ClientAuthentication, ClientForm, RevocationForm, TokenError, TokenRequest,
};
pub(crate) use tollgate::verify::Verified;
pub(crate) use tollgate::{
    BearerToken, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, PasswordForm,
    Rejection, Scheme, Security, SecurityScopes, Shared, secured,
};
pub(crate) use tollgate_tests::act::{self, Action, Object};
pub(crate) use tollgate_tests::chains::{
    Both, User, again, any_token, any_value, both, collected, me,
};
pub(crate) use tollgate_tests::challenged;
pub(crate) use tollgate_tests::credentials::{self, Caller, KnownCaller, Visitor};
pub(crate) use tollgate_tests::description::conformance;
pub(crate) use tollgate_tests::format::{Format, Known, OneToken};
pub(crate) use tollgate_tests::grants::{Grant, shown_error};
pub(crate) use tollgate_tests::proof;
pub(crate) use tollgate_tests::rfc::{self, Granted};
pub(crate) use tollgate_tests::schemes::{Base, Password, PasswordOptional};
pub(crate) use tollgate_tests::shown::{Attributes, Shown, client, faults};
pub(crate) use tollgate_tests::{
    for_each_challenged, for_each_credential, for_each_opaque, for_each_plan, for_each_verified,
    jwt, opaque,
};
