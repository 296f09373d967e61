//! `#[argument]` on a parameter of a dependency.

use darling::FromMeta;
use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, Meta};

use crate::attribute::{Arguments, Flag, error_at};

/// The words of an argument.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct Argument {
    as_written: Option<SpannedValue<Flag>>,
    roles: Option<SpannedValue<Flag>>,
}

impl Argument {
    /// Reads the words of an attribute. Those with a mistake are reported and left out.
    pub(super) fn read(attr: &Attribute, errors: &mut Accumulator) -> Self {
        let argument = match &attr.meta {
            Meta::Path(_) => Self::default(),
            Meta::List(list) => {
                Arguments::split(list.tokens.clone(), errors).read(errors).arguments
            }
            Meta::NameValue(pair) => {
                let sentence = "an argument has its value where the dependency is named; write `#[argument] least: Role`";
                errors.push(error_at(pair.span(), sentence));
                Self::default()
            }
        };
        if let (Some(at), Some(_)) = (argument.as_written(), argument.roles()) {
            let sentence = "`roles` puts the names of the value into descriptions, and `as_written` keeps it out; remove one of them";
            errors.push(error_at(at, sentence));
        }
        argument
    }

    /// Returns the place of `as_written`, if the source text is printed instead of the value.
    pub(crate) fn as_written(&self) -> Option<Span> {
        Flag::place(self.as_written)
    }

    /// Returns the place of `roles`, if the value names roles.
    pub(crate) fn roles(&self) -> Option<Span> {
        Flag::place(self.roles)
    }
}

pub(super) fn is_argument(attr: &Attribute) -> bool {
    let mut segments = attr.path().segments.iter().rev();
    segments.next().is_some_and(|last| last.ident == "argument")
        && segments.next().is_none_or(|krate| krate.ident == "doorward")
}
