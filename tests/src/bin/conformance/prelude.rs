//! What the server takes on each framework: the library, and what its routes show.

pub(crate) use std::error::Error;
pub(crate) use std::net::TcpListener;

pub(crate) use doorward::form::FormError;
pub(crate) use doorward::token_endpoint::{
    ClientAuthentication, ClientForm, RevocationForm, TokenError, TokenRequest,
};
pub(crate) use doorward::verify::Verified;
pub(crate) use doorward::{
    BearerToken, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, PasswordForm,
    Rejection, Scheme, Security, SecurityScopes, Shared, secured,
};
pub(crate) use doorward_tests::act::{self, Action, Object};
pub(crate) use doorward_tests::chains::{
    Both, User, again, any_token, any_value, both, collected, me,
};
pub(crate) use doorward_tests::challenged;
pub(crate) use doorward_tests::credentials::{self, Caller, KnownCaller, Visitor};
pub(crate) use doorward_tests::description::conformance;
pub(crate) use doorward_tests::format::{Format, Known, OneToken};
pub(crate) use doorward_tests::grants::{Grant, shown_error};
pub(crate) use doorward_tests::proof;
pub(crate) use doorward_tests::rfc::{self, Granted};
pub(crate) use doorward_tests::schemes::{Base, Password, PasswordOptional};
pub(crate) use doorward_tests::shown::{Attributes, Shown, client, faults};
pub(crate) use doorward_tests::waited::{Number, Waited, waited};
pub(crate) use doorward_tests::{
    bound, for_each_bound, for_each_challenged, for_each_credential, for_each_opaque,
    for_each_plan, for_each_verified, jwt, live, opaque,
};
