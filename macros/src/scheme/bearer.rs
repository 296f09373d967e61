//! The arguments of a bearer scheme, which has one flow.

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::Span;

use super::flow::{FlowArguments, FlowKind};
use super::{Credential, Own, OwnArguments};
use crate::arguments::{Arguments, Flag};

/// The single flow of a bearer scheme.
pub(crate) trait BearerFlow: FlowArguments {
    const ATTRIBUTE: &'static str;
    const KIND: FlowKind;
}

#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct Bearer<F: BearerFlow> {
    strict: Flag,
    #[darling(flatten)]
    flow: F,
}

impl<F: BearerFlow> OwnArguments for Bearer<F> {
    const CREDENTIAL: Credential = Credential::BearerToken;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        F::KIND.require(arguments, at, &format!("#[{}(…)]", F::ATTRIBUTE), errors);
    }

    fn into_own(self) -> Own {
        Own {
            flows: vec![self.flow.into_flow(F::KIND)],
            strict: self.strict.0,
            ..Own::default()
        }
    }
}
