//! `layer!(current_user, scopes("items"))`

use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

use crate::emit::checks;
use crate::plan::plan;
use crate::requirement::{Requirement, Site, expand_one};

pub(crate) fn expand(arguments: TokenStream) -> TokenStream {
    expand_one(Site::Layer, "name a dependency; write `layer!(current_user)`", arguments, layer)
}

/// Returns the layer of a plan, which is a guard of everything below it.
fn layer(krate: &Path, requirement: &Requirement) -> TokenStream {
    let check = checks::all([requirement.guard_check(krate)]);
    let plan = plan(krate, requirement);
    quote! {{
        #check
        #krate::SecurityLayer::new(#plan)
    }}
}
