//! `plan!(current_user, scopes("items"))`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, parse_quote};

use crate::requirement::{Arguments, Requirement};

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    match syn::parse2(arguments) {
        Ok(Arguments {
            krate,
            requirement: Some(requirement),
        }) => plan(
            &krate.unwrap_or_else(|| parse_quote!(::tollgate)),
            &requirement,
        ),
        Ok(Arguments { .. }) => quote!(::core::compile_error!(
            "name a dependency; write `plan!(current_user)`"
        )),
        Err(error) => error.into_compile_error(),
    }
}

/// The plan of one dependency, as an expression that is a constant.
fn plan(krate: &Path, requirement: &Requirement) -> TokenStream {
    let (path, edge) = (&requirement.path, requirement.edge(krate));
    let checks = requirement.scope_checks(krate);
    quote! {{
        #checks
        #krate::__plan!(#krate::__rt::Node::function(false, false, &[#edge]));
        const __TOLLGATE_PLAN: #krate::Plan<#path> =
            #krate::Plan::__new(#krate::__rt::Cursor::root(__TOLLGATE_STEPS).child(0));
        __TOLLGATE_PLAN
    }}
}
