//! The arguments that every bearer scheme takes: how strictly a token is read, and who verifies it.

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::Span;
use syn::spanned::Spanned;

use super::verification::Verification;
use super::{Credential, Own, OwnArguments};
use crate::arguments::{Arguments, Flag, TypeName, error_at};

#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct Bearer<O: OwnArguments> {
    strict: Flag,
    verified: Option<TypeName>,
    by: Option<TypeName>,
    #[darling(flatten)]
    own: O,
}

impl<O: OwnArguments> OwnArguments for Bearer<O> {
    const CREDENTIAL: Credential = O::CREDENTIAL;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        O::require(arguments, at, errors);
    }

    fn into_own(self) -> Own {
        let mut own = self.own.into_own();
        own.strict = self.strict.0;
        match (self.verified, self.by) {
            (Some(TypeName(claims)), by) => {
                let verifier = by.map(|TypeName(verifier)| verifier);
                own.verification = Some(Verification { claims, verifier });
            }
            (None, Some(TypeName(verifier))) => {
                let sentence = "the verifier is of a scheme that verifies; write the type of the claims before it: `verified = Claims`";
                own.mistakes.push(error_at(verifier.span(), sentence));
            }
            (None, None) => {}
        }
        own
    }
}
