//! `#[dependency]`

mod arguments;
mod extractor;
mod resolution;

use darling::util::SpannedValue;
use darling::{Error, FromMeta, Result};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use self::resolution::Resolution;
use crate::attribute::{Arguments, CratePath, Flag, Name, Status, error_at};
use crate::emit::cached;
use crate::emit::checks::{self, check, error_kind, is_presented, is_type, kind_of, result_of};
use crate::function::{self, Function, Host, Outcome, Parameter, Source};
use crate::types::{elided_lifetime, is_named, mentions};

/// Expands `#[dependency]` to the user's function, its marker, and the impls that resolve it for a
/// request.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    function::expand(Host::Dependency, item, |function, errors| {
        let arguments = Arguments::split(args, errors).read(errors).arguments;
        let dependency = Dependency::new(function, arguments);
        match errors.handle(dependency.check()) {
            Some(()) => dependency.expand(),
            None => dependency.rejected(),
        }
    })
}

#[derive(Default, FromMeta)]
#[darling(default)]
struct DependencyArguments {
    local: Flag,
    cached: Option<SpannedValue<Flag>>,
    extract: Option<SpannedValue<Flag>>,
    unverified: Option<SpannedValue<Flag>>,
    decides: Option<SpannedValue<Flag>>,
    name: Option<Name>,
    insufficient_scope: Option<Status>,
    #[darling(rename = "crate")]
    krate: CratePath,
}

struct Dependency {
    krate: Path,
    outcome: Outcome,
    function: Function,
    /// The marker type, which by default has the function's name in the type namespace.
    marker: Ident,
    local: bool,
    /// The place of `cached`, if the value is kept.
    cached: Option<Span>,
    /// The place of `extract`, if the value is an extractor of the framework.
    extract: Option<Span>,
    /// The place of `unverified`, if the credential is checked in front of the service.
    unverified: Option<Span>,
    /// The place of `decides`, if the function refuses requests itself, although each scheme below
    /// it may be absent.
    decides: Option<Span>,
    /// The documented status of a refusal for a missing scope.
    insufficient_scope: Option<Status>,
}

impl Dependency {
    fn new(function: Function, arguments: DependencyArguments) -> Self {
        let krate = arguments.krate.0;
        let marker = arguments.name.map(|Name(name)| name);
        Self {
            outcome: Outcome::of(function.output(), &krate),
            marker: marker.unwrap_or_else(|| function.signature.ident.clone()),
            local: arguments.local.0,
            cached: Flag::place(arguments.cached),
            extract: Flag::place(arguments.extract),
            unverified: Flag::place(arguments.unverified),
            decides: Flag::place(arguments.decides),
            insufficient_scope: arguments.insufficient_scope,
            krate,
            function,
        }
    }

    /// Checks that the function can be a dependency.
    fn check(&self) -> Result<()> {
        let (generics, output) = (&self.function.signature.generics, self.outcome.returned());
        let mut errors = Error::accumulator();
        let mut reject = |at, sentence| errors.push(error_at(at, sentence));
        if !generics.params.is_empty() {
            let sentence = "a dependency cannot be generic, because `#[security(…)]` names it without arguments; take what varies as a `Shared<dyn Accounts>`, or write a concrete type, such as `State<AppState<Postgres>>`";
            reject(generics.span(), sentence);
        }
        if mentions(output, &Ident::new("impl", Span::call_site())) {
            let sentence =
                "a dependency cannot return `impl Trait`; write the type, or a `Box<dyn …>`";
            reject(output.span(), sentence);
        } else if let Some(at) = elided_lifetime(output) {
            let sentence = "a dependency cannot return a borrowed value; write an owned type, such as `String`, or a `'static` reference";
            reject(at, sentence);
        } else if let Some((at, sentence)) = self.extractor_mistake() {
            reject(at, sentence);
        }
        if let Some(error) = self.outcome.error_as_written()
            && ["Json", "Html"].iter().any(|body| is_named(error, body))
        {
            let sentence = "this error has no status, so the refusal would be a 200; write a status beside it, as in `(StatusCode, Json<…>)`";
            reject(error.span(), sentence);
        }
        if let Some(status) = &self.insufficient_scope
            && !self.has(|source| {
                matches!(source, Source::Scopes | Source::Argument(_) | Source::Broken)
            })
        {
            let sentence = "this is the status of a refusal for a missing scope, and the dependency takes no `SecurityScopes`; \
                            take `scopes: SecurityScopes`, or remove the argument";
            reject(status.0.span(), sentence);
        }
        for (at, sentence) in self.argument_mistakes() {
            reject(at, sentence);
        }
        if let Some(cfg) = self.function.cfg() {
            let sentence = "a `#[cfg]` on this parameter would change what the dependency extracts; put it on the whole function";
            reject(cfg.span(), sentence);
        }
        errors.finish()
    }

    /// Returns `true` if the value of a parameter has such a source.
    fn has(&self, is: fn(&Source) -> bool) -> bool {
        let mut parameters = self.function.parameters.iter();
        parameters.any(|parameter| is(&parameter.source))
    }

    fn expand(&self) -> TokenStream {
        let (function, description) = (self.function_and_marker(), self.description());
        let arguments = self.arguments();
        let checks = checks::all([
            Resolution::new(self).to_token_stream(),
            self.function.checks(&self.krate),
            self.parameter_checks(),
            self.output_checks(),
            self.plan_checks(),
            self.extractor_check(),
        ]);
        let extractor = self.extractor();
        quote!(#function #arguments #description #extractor #checks)
    }

    /// Returns a stub for a function that cannot be a dependency, so code that names it
    /// causes no further errors.
    fn rejected(&self) -> TokenStream {
        let Self { krate, marker, .. } = self;
        let function = self.function_and_marker();
        let (arguments, extractor) = (self.stub_arguments(), self.stub_extractor());
        quote!(#function #arguments #krate::__rejected!(#marker); #extractor)
    }

    fn function_and_marker(&self) -> TokenStream {
        let Self { function, marker, .. } = self;
        let (original, vis) = (function.original(), &function.vis);
        quote! {
            // The dependency determines the type of a parameter, even if the body does not need it
            // by value.
            #[allow(clippy::needless_pass_by_value)]
            #original
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #vis struct #marker {}
        }
    }

    /// Returns the checks that each parameter has the type of its dependency's value.
    fn parameter_checks(&self) -> TokenStream {
        let parameters = self.function.parameters.iter();
        let checks = parameters.filter_map(|parameter| {
            let (yielded, ty) = (self.yielded(parameter)?, &parameter.written.ty);
            Some(if parameter.is_presented() {
                is_presented(&self.krate, &yielded)
            } else {
                is_type(&self.krate, &yielded, ty)
            })
        });
        checks.collect()
    }

    /// Returns the type of the value that the plan provides for a parameter.
    fn yielded(&self, parameter: &Parameter) -> Option<TokenStream> {
        let krate = &self.krate;
        match &parameter.source {
            Source::Dependency(requirement) => Some(requirement.output(krate)),
            // rustc compares the type of `SecurityScopes` where the function is called.
            Source::Scopes
            | Source::Live
            | Source::Broken
            | Source::Extractor
            | Source::Argument(_) => None,
        }
    }

    /// Returns the checks of the return type: a value is not an alias of `Result`, whose error
    /// would be ignored; an error is a response with its own status; a cached value can be kept.
    fn output_checks(&self) -> TokenStream {
        let (krate, output) = (&self.krate, self.outcome.value());
        let at = self.outcome.returned().span();
        let cached = self.cached.map(|_| cached::check(krate, self.local, &output, at));
        let outcome = match self.error_kind() {
            Some(kind) => {
                let error = self.outcome.error_as_written();
                check(krate, "check_error", &kind, error.map_or(at, Spanned::span))
            }
            None => check(krate, "check_output", &kind_of(krate, "Output", &output), at),
        };
        quote!(#cached #outcome)
    }

    /// Returns a `Result` with the error of the function.
    fn result(&self) -> TokenStream {
        let as_written = self.outcome.error_as_written().map(result_of);
        as_written.unwrap_or_else(|| self.outcome.returned().to_token_stream())
    }

    /// Returns the kind of the error, and whether it is a response, if the function can fail.
    fn error_kind(&self) -> Option<TokenStream> {
        let (krate, result) = (&self.krate, self.result());
        let kind = self.outcome.can_fail().then(|| error_kind(krate, &result))?;
        Some(match self.outcome.error_as_written() {
            Some(_) => kind,
            // That it is no `Result` is another error.
            None => {
                let output = kind_of(krate, "Output", &result);
                quote!(#kind || !#output.is_result())
            }
        })
    }

    /// Returns the checks of the tree below the dependency, of `unverified`, which says that nothing
    /// in it refuses a credential, and of `decides`, which says that the function alone does.
    fn plan_checks(&self) -> TokenStream {
        let Self { krate, marker, .. } = self;
        let node = quote!(<#marker as #krate::Dependency>::NODE);
        let at = self.function.signature.ident.span();
        let whole = check(krate, "check_dependency", &node, at);
        let words = [(self.unverified, "check_unverified"), (self.decides, "check_decides")];
        let words = words.map(|(at, name)| at.map(|at| check(krate, name, &node, at)));
        quote!(#whole #(#words)*)
    }

    /// Returns the impl that describes the dependency as const data.
    fn description(&self) -> TokenStream {
        let Self { krate, function, marker, .. } = self;
        let output = self.outcome.value();
        let name = function.signature.ident.unraw().to_string();
        let asks_scopes =
            self.has(|source| matches!(source, Source::Scopes)).then(|| quote!(.asks_scopes()));
        let takes = self.argument_names().map(|names| quote!(.takes::<Self>(#names)));
        let extracts =
            self.has(|source| matches!(source, Source::Extractor)).then(|| quote!(.extracts()));
        let fails = self.outcome.error().map(|error| quote!(.fails_with::<#error>()));
        let broken = self.has(|source| matches!(source, Source::Broken)).then(|| quote!(.broken()));
        let unverified = self.unverified.map(|_| quote!(.unverified()));
        let decides = self.decides.map(|_| quote!(.decides()));
        let insufficient_scope = self
            .insufficient_scope
            .as_ref()
            .map(|Status(status)| quote!(.refuses_scopes_with(#status)));
        let output_kind = kind_of(krate, "Output", &output);
        let edges = function.parameters.iter().filter_map(|parameter| match &parameter.source {
            Source::Dependency(requirement) => Some(requirement.edge(krate)),
            _ => None,
        });
        let node = quote_spanned! {function.signature.ident.span()=>
            const NODE: &'static #krate::__rt::Node = &#krate::__rt::Function::new(#name)
                #takes #asks_scopes #extracts #fails #unverified #decides #broken #insufficient_scope .yields(#output_kind).node(&[#(#edges),*]);
        };
        let fails = self.outcome.doubtful_error().map(|_| {
            let result = self.result();
            quote!(#krate::__fails!(#marker, #result);)
        });
        quote! {
            #[automatically_derived]
            impl #krate::Dependency for #marker {
                type Output = #output;
                #node
            }
            #fails
        }
    }
}
