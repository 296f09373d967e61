//! `plan!(current_user, scopes("items"))`

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Path;
use syn::spanned::Spanned;

use crate::emit::checks::{self, check_edges};
use crate::requirement::{Requirement, Site, expand_one};

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    expand_one(Site::Plan, "name a dependency; write `plan!(current_user)`", arguments, plan)
}

/// Returns the plan of one dependency, as a constant expression.
pub(crate) fn plan(krate: &Path, requirement: &Requirement) -> TokenStream {
    let (path, edge) = (&requirement.path, requirement.edge(krate));
    let plan = format_ident!("__DoorwardPlan");
    let checks = checks::all([requirement.checks(krate), check_edges(krate, &plan, path.span())]);
    quote! {{
        #checks
        struct #plan;
        #[automatically_derived]
        impl #krate::__rt::HasPlan for #plan {
            const EDGES: &'static [#krate::__rt::Edge] = &[#edge];
        }
        // An alias, because a function of this name is taken for a constant in an expression.
        type __DoorwardDependency = #path;
        #krate::Plan::<__DoorwardDependency>::__new(
            <#krate::__rt::CursorOf<#plan, 0> as #krate::__rt::PlanPosition>::CURSOR
        )
    }}
}
