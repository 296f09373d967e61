//! `plan!(current_user, scopes("items"))` and `layer!(current_user, scopes("items"))`

use darling::Error;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Path;
use syn::spanned::Spanned;

use crate::arguments::{CratePath, error_at};
use crate::checks::{self, check};
use crate::requirement::{Place, Required, Requirement};

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    expand_one(
        Place::Plan,
        "name a dependency; write `plan!(current_user)`",
        arguments,
        plan,
    )
}

pub(crate) fn expand_layer(arguments: TokenStream) -> TokenStream {
    expand_one(
        Place::Layer,
        "name a dependency; write `layer!(current_user)`",
        arguments,
        layer,
    )
}

/// Expands a macro that takes one requirement; `missing` is the sentence where there is none.
pub(crate) fn expand_one(
    place: Place,
    missing: &str,
    arguments: TokenStream,
    expand: impl FnOnce(&Path, &Requirement) -> TokenStream,
) -> TokenStream {
    let mut errors = Error::accumulator();
    let required = Required::read(arguments, place, &mut errors);
    if !required.is_written {
        errors.push(error_at(Span::call_site(), missing));
    }
    let krate = required.krate.unwrap_or_else(|| CratePath::default().0);
    match (errors.finish(), required.requirement) {
        (Ok(()), Some(requirement)) => expand(&krate, &requirement),
        (Ok(()), None) => TokenStream::new(),
        (Err(errors), _) => {
            let errors = errors.write_errors();
            quote!({ #errors })
        }
    }
}

/// The plan of one dependency, as an expression that is a constant.
fn plan(krate: &Path, requirement: &Requirement) -> TokenStream {
    let (path, edge) = (&requirement.path, requirement.edge(krate));
    let root = quote!(&<__TollgatePlan as #krate::__rt::Planned>::ROOT);
    let checks = checks::all([
        requirement.scope_checks(krate),
        check(krate, "check_size", &root, path.span()),
    ]);
    quote! {{
        #checks
        struct __TollgatePlan;
        #[automatically_derived]
        impl #krate::__rt::Planned for __TollgatePlan {
            const ROOT: #krate::__rt::Node = #krate::__rt::Node::function("", &[#edge]);
        }
        #krate::Plan::<#path>::__new(<#krate::__rt::At<__TollgatePlan, 0>>::CURSOR)
    }}
}

/// A layer of the plan, which guards everything below it.
fn layer(krate: &Path, requirement: &Requirement) -> TokenStream {
    let check = checks::all([requirement.guard_check(krate)]);
    let plan = plan(krate, requirement);
    quote! {{
        #check
        #krate::SecurityLayer::new(#plan)
    }}
}
