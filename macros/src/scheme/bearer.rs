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
    dpop: Flag,
    verified: Option<TypeName>,
    by: Option<TypeName>,
    #[darling(flatten)]
    own: O,
}

impl<O: OwnArguments> OwnArguments for Bearer<O> {
    const CREDENTIAL: Credential = O::CREDENTIAL;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        O::require(arguments, at, errors);
        let verifies = !arguments.has_none_of(&["verified"]);
        match (arguments.value_of("by"), arguments.span_of("dpop")) {
            _ if verifies => {}
            (Some(verifier), _) => {
                let sentence = "the verifier is of a scheme that verifies; write the type of the claims before it: `verified = Claims`";
                errors.push(error_at(verifier.span(), sentence));
            }
            (None, Some(dpop)) => {
                let sentence = "a proof is checked by a scheme that verifies; write `verified = Claims, by = KeyBound<TokenVerifier<Claims>>` after it";
                errors.push(error_at(dpop, sentence));
            }
            (None, None) => {}
        }
    }

    fn into_own(self) -> Own {
        let mut own = self.own.into_own();
        own.strict = self.strict.0;
        own.websocket = self.websocket.0;
        own.dpop = self.dpop.0;
        own.verification = self.verified.map(|TypeName(claims)| Verification {
            claims,
            verifier: self.by.map(|TypeName(verifier)| verifier),
        });
        own
    }
}
