//! The arguments of a bearer scheme that has one flow.

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::Span;

use super::flow::{FlowArguments, FlowKind};
use super::{Credential, Own, OwnArguments};
use crate::attribute::Arguments;

/// The single flow of a bearer scheme.
pub(crate) trait BearerFlow: FlowArguments {
    const ATTRIBUTE: &'static str;
    const KIND: FlowKind;
}

#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct OneFlow<F: BearerFlow> {
    #[darling(flatten)]
    flow: F,
}

impl<F: BearerFlow> OwnArguments for OneFlow<F> {
    const CREDENTIAL: Credential = Credential::BearerToken;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        F::KIND.require(arguments, at, &format!("#[{}(…)]", F::ATTRIBUTE), errors);
    }

    fn into_own(self) -> Own {
        Own { flows: vec![self.flow.into_flow(F::KIND)], ..Own::default() }
    }
}
