//! The words that may follow a dependency, each once.

use syn::Path;

use super::{Requirement, Site};

pub(super) struct Flag {
    name: &'static str,
    pub(super) sites: &'static [Site],
    /// The field that the word sets.
    pub(super) of: fn(&mut Requirement) -> &mut bool,
    /// The error message about the word in another place, or a second time.
    pub(super) mistake: &'static str,
}

impl Flag {
    pub(super) fn named(word: &Path) -> Option<&'static Self> {
        FLAGS.iter().find(|flag| word.is_ident(flag.name))
    }
}

const FLAGS: &[Flag] = &[
    Flag {
        name: "fresh",
        sites: &[Site::Parameter, Site::Variant],
        of: |requirement| &mut requirement.is_fresh,
        mistake: "`fresh` applies to parameters only; write `#[security(current_user, fresh)]`, once",
    },
    Flag {
        name: "unscoped",
        sites: &[Site::Variant],
        of: |requirement| &mut requirement.is_unscoped,
        mistake: "`unscoped` applies to alternatives only; write `#[security(current_user, unscoped)]` above a variant of a `#[one_of]`, once",
    },
    Flag {
        name: "lenient",
        sites: &[Site::Variant],
        of: |requirement| &mut requirement.is_lenient,
        mistake: "`lenient` applies to alternatives only; write `#[security(session_user, lenient)]` above a variant of a `#[one_of]`, once",
    },
];
