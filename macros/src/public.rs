//! `#[public(reason = "…")]`

use darling::FromMeta;
use darling::error::Accumulator;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Attribute, LitStr, Path, Visibility, parse_quote};

use crate::attribute::{Arguments, CratePath, Reason, error_at};
use crate::emit::checks;
use crate::function::{self, Function, Host, Source, WrittenParameter};
use crate::handler::{documented, is_named, marker, named, take_others};

/// Expands `#[public]` to the user's handler, which a door can see to be public, and its reason.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    function::expand(Host::Public, item, |mut function, errors| {
        if !take_others(&mut function, errors) {
            return function.original();
        }
        Handler::read(function, args, errors).to_token_stream()
    })
}

/// The arguments of `#[public]`.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct PublicArguments {
    /// `None` because of a mistake.
    pub(crate) reason: Option<Reason>,
    #[darling(rename = "crate")]
    krate: CratePath,
}

impl PublicArguments {
    /// Reads the arguments. `at` is the place of an error about a missing reason.
    pub(crate) fn read(args: TokenStream, at: Span, errors: &mut Accumulator) -> Self {
        let args = match syn::parse2::<LitStr>(args.clone()) {
            Ok(reason) => {
                let sentence =
                    format!("the reason has a name; write `reason = \"{}\"`", reason.value());
                errors.push(error_at(reason.span(), sentence));
                quote!(reason = #reason)
            }
            Err(_) => args,
        };
        let arguments = Arguments::split(args, errors);
        let example = "#[public(reason = \"load balancers ask it\")]";
        arguments.require("reason", at, example, errors);
        arguments.read(errors).arguments
    }
}

/// Returns the plan of something public, whose marker is a type of this visibility, and the check of
/// its reason.
pub(crate) fn plan(
    krate: &Path,
    vis: &Visibility,
    marker: &Ident,
    reason: Option<&Reason>,
) -> (TokenStream, TokenStream) {
    // A mistake in the reason has been reported.
    let text = match reason {
        Some(Reason(reason)) => reason.to_token_stream(),
        None => quote!(""),
    };
    let plan = quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, unreachable_pub)]
        #vis enum #marker {}

        #[automatically_derived]
        impl #krate::__rt::HasPlan for #marker {
            const EDGES: &'static [#krate::__rt::Edge] = &[];
            const REASON: ::core::option::Option<&'static ::core::primitive::str> =
                ::core::option::Option::Some(#text);
        }
    };
    let read = quote!(<#marker as #krate::__rt::HasPlan>::REASON);
    let check = reason.and_then(|reason| reason.constant_check(&read, krate));
    (plan, check.into_iter().collect())
}

/// A public handler.
struct Handler {
    krate: Path,
    function: Function,
    /// `None` because of a mistake.
    reason: Option<Reason>,
}

impl Handler {
    fn read(function: Function, args: TokenStream, errors: &mut Accumulator) -> Self {
        let arguments = PublicArguments::read(args, Span::call_site(), errors);
        for parameter in &function.parameters {
            if let Source::Dependency(requirement) = &parameter.source {
                let sentence =
                    "a public handler requires nothing; write `#[secured]` instead of `#[public]`";
                errors.push(error_at(requirement.path.span(), sentence));
            }
        }
        let PublicArguments { reason, krate } = arguments;
        Self { krate: krate.0, function, reason }
    }

    /// Returns the user's function. A function that a framework's attribute does not name gets a
    /// parameter, which is the one place where a door can see what it is.
    fn function(&self, attrs: &[Attribute]) -> TokenStream {
        let (krate, function) = (&self.krate, &self.function);
        let marker = marker(&function.signature.ident, 0);
        let written = function.parameters.iter();
        let written = written.map(|parameter| parameter.written.clone());
        let added = (!is_named(function)).then(|| {
            let ty = parse_quote!(#krate::__rt::PublicParameter<#marker>);
            WrittenParameter::new(Vec::new(), format_ident!("__public"), ty)
        });
        let parameters = Vec::from_iter(added.into_iter().chain(written));
        let allow = (parameters.len() > function.parameters.len())
            .then(|| quote!(#[allow(clippy::too_many_arguments)]));
        let function = function.with(attrs, &parameters, &function.body.to_token_stream());
        quote!(#allow #function)
    }
}

impl ToTokens for Handler {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (krate, function) = (&self.krate, &self.function);
        let (vis, marker) = (&function.vis, marker(&function.signature.ident, 0));
        let named = named(krate, function);
        let handler = documented(krate, function, &marker, |attrs| self.function(attrs));
        let (plan, check) = plan(krate, vis, &marker, self.reason.as_ref());
        let checks = checks::all([check, function.checks(krate)]);
        tokens.extend(quote!(#handler #named #plan #checks));
    }
}
