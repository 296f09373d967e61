//! `plan!(current_user, scopes("items"))`, `layer!(current_user, scopes("items"))`

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Path, parse_quote};

use crate::checks;
use crate::requirement::{Arguments, Requirement};

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    of_requirement("plan", arguments, plan)
}

pub(crate) fn expand_layer(arguments: TokenStream) -> TokenStream {
    of_requirement("layer", arguments, layer)
}

/// Reads the one requirement that a macro takes.
fn of_requirement(
    name: &str,
    arguments: TokenStream,
    expand: impl FnOnce(&Path, &Requirement) -> TokenStream,
) -> TokenStream {
    match syn::parse2(arguments) {
        Ok(Arguments {
            krate,
            requirement: Some(requirement),
        }) => expand(
            &krate.unwrap_or_else(|| parse_quote!(::tollgate)),
            &requirement,
        ),
        Ok(Arguments { .. }) => {
            let sentence = format!("name a dependency; write `{name}!(current_user)`");
            quote!(::core::compile_error!(#sentence))
        }
        Err(error) => error.into_compile_error(),
    }
}

/// The plan of one dependency, as an expression that is a constant.
fn plan(krate: &Path, requirement: &Requirement) -> TokenStream {
    let (path, edge) = (&requirement.path, requirement.edge(krate));
    let checks = checks::all([requirement.scope_checks(krate)]);
    quote! {{
        #checks
        struct __TollgatePlan;
        #[automatically_derived]
        impl #krate::__rt::Planned for __TollgatePlan {
            const ROOT: #krate::__rt::Node = #krate::__rt::Node::function(false, false, &[#edge]);
        }
        #krate::Plan::<#path>::__new(<#krate::__rt::At<__TollgatePlan, 0>>::CURSOR)
    }}
}

/// A layer of the plan, which guards what stands below it.
fn layer(krate: &Path, requirement: &Requirement) -> TokenStream {
    let check = checks::all([requirement.guard_check(krate)]);
    let plan = plan(krate, requirement);
    quote! {{
        #check
        #krate::SecurityLayer::new(#plan)
    }}
}
