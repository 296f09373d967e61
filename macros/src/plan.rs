//! `plan!(current_user, scopes("items"))`

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;
use syn::spanned::Spanned;

use crate::emit::checks::{self, check_edges};
use crate::requirement::{Requirement, Site, expand_one};

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    expand_one(
        Site::Plan,
        "name a dependency; write `plan!(current_user)`",
        arguments,
        plan,
    )
}

/// Returns the plan of one dependency, as a constant expression.
pub(crate) fn plan(krate: &Path, requirement: &Requirement) -> TokenStream {
    let (path, edge) = (&requirement.path, requirement.edge(krate));
    let checks = checks::all([
        requirement.scope_checks(krate),
        check_edges(krate, [edge.clone()], path.span()),
    ]);
    quote! {{
        #checks
        struct __TollgatePlan;
        #[automatically_derived]
        impl #krate::__rt::HasPlan for __TollgatePlan {
            const ROOT: #krate::__rt::Node = #krate::__rt::Node::root(&[#edge]);
        }
        // An alias, because a function of this name is taken for a constant in an expression.
        type __TollgateDependency = #path;
        #krate::Plan::<__TollgateDependency>::__new(<#krate::__rt::CursorOf<__TollgatePlan, 0>>::CURSOR)
    }}
}
