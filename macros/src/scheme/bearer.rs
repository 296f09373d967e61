//! The arguments that every bearer scheme takes: how strictly a token is read, and who verifies it.

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::Span;
use syn::spanned::Spanned;

use super::verification::Verification;
use super::{Credential, Own, OwnArguments};
use crate::attribute::{Arguments, Flag, TypeName, error_at};

#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct Bearer<O: OwnArguments> {
    strict: Flag,
    websocket: Flag,
    verified: Option<TypeName>,
    by: Option<TypeName>,
    #[darling(flatten)]
    own: O,
}

impl<O: OwnArguments> OwnArguments for Bearer<O> {
    const CREDENTIAL: Credential = O::CREDENTIAL;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        O::require(arguments, at, errors);
        if let Some(verifier) = arguments.value_of("by")
            && arguments.has_none_of(&["verified"])
        {
            let sentence = "the verifier is of a scheme that verifies; write the type of the claims before it: `verified = Claims`";
            errors.push(error_at(verifier.span(), sentence));
        }
    }

    fn into_own(self) -> Own {
        let mut own = self.own.into_own();
        own.strict = self.strict.0;
        own.websocket = self.websocket.0;
        own.verification = self.verified.map(|TypeName(claims)| Verification {
            claims,
            verifier: self.by.map(|TypeName(verifier)| verifier),
        });
        own
    }
}
