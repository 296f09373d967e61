//! `#[secured]`

mod block;
mod instrument;
mod plan;

use darling::error::Accumulator;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Path, Type, parse_quote};

use self::plan::Plan;
use crate::attribute::{CratePath, error_at};
use crate::emit::checks::{self, respanned};
use crate::function::{self, Function, Host, Parameter, Source, WrittenParameter};
use crate::handler::{documented, marker, named, take_others};
use crate::requirement::{Required, Requirement, Site};

/// Expands `#[secured]` to the user's handler, whose secured parameters become extractors, and its
/// plan. Above an `impl`, each of its entry points gets a plan.
pub(crate) fn expand(args: TokenStream, item: &TokenStream) -> TokenStream {
    if let Some(block) = block::Written::read(item) {
        return block::expand(args, block);
    }
    function::expand(Host::Secured, item, |mut function, errors| {
        if !take_others(&mut function, errors) {
            return function.original();
        }
        Handler::read(function, args, errors).to_token_stream()
    })
}

/// A secured handler.
struct Handler {
    krate: Path,
    function: Function,
    /// The name from which those of the markers are made.
    name: Ident,
    guards: Vec<Requirement>,
    /// The aliases of the dependencies, as items.
    aliases: TokenStream,
}

impl Handler {
    /// Reads the attribute and the ones of the same name below it.
    fn read(mut function: Function, args: TokenStream, errors: &mut Accumulator) -> Self {
        let name = OwnName::of_this_call();
        let (below, attrs): (Vec<_>, _) =
            core::mem::take(&mut function.attrs).into_iter().partition(|attr| name.is_of(attr));
        function.attrs = attrs;
        let below = below.into_iter().map(|attr| match attr.meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        });
        let (mut krate, mut guards, mut has_guards) = (None, Vec::new(), false);
        for list in core::iter::once(args).chain(below) {
            let required = Required::read(list, Site::Guard, errors);
            has_guards |= required.is_written;
            krate = krate.or(required.krate);
            guards.extend(required.requirement);
        }
        function
            .attrs
            .extract_if(.., |attr| instrument::takes_values(attr, &function.parameters))
            .for_each(|attr| errors.push(instrument::misplaced(&attr)));
        let mut handler = Self {
            krate: krate.unwrap_or_else(|| CratePath::default().0),
            name: function.signature.ident.clone(),
            function,
            guards,
            aliases: TokenStream::new(),
        };
        handler.check(has_guards, errors);
        let parameters = handler.function.parameter_names();
        for guard in &mut handler.guards {
            guard.refuse_parameters(&Vec::from_iter(&parameters), errors);
        }
        handler.name_dependencies(0);
        handler
    }

    /// Gives each dependency an alias, but those of the first guards.
    fn name_dependencies(&mut self, named: usize) {
        let handler = &self.name;
        let parameters = self.function.parameters.iter_mut();
        let parameters = parameters.filter_map(|parameter| match &mut parameter.source {
            Source::Dependency(requirement) => Some(requirement),
            _ => None,
        });
        for (number, requirement) in
            self.guards.iter_mut().chain(parameters).enumerate().skip(named)
        {
            let name = format_ident!("{}_of", marker(handler, number));
            self.aliases.extend(requirement.alias(&name));
        }
    }

    fn check(&self, has_guards: bool, errors: &mut Accumulator) {
        let is_secured = |parameter: &Parameter| {
            matches!(parameter.source, Source::Dependency(_) | Source::Broken)
        };
        if !has_guards && !self.function.parameters.iter().any(is_secured) {
            let sentence = "this handler has no security requirement; write `#[secured(…)]` with a scheme or a dependency, or mark a parameter with \
                            `#[security(current_user)]`";
            errors.push(error_at(self.function.signature.ident.span(), sentence));
        }
        self.check_scopes(errors);
        self.check_live(errors);
    }

    /// Reports a second `Live`.
    fn check_live(&self, errors: &mut Accumulator) {
        for parameter in self.live().skip(1) {
            let sentence = "one `Live` asks all that the handler requires; remove the second one";
            errors.push(error_at(parameter.written.ty.span(), sentence));
        }
    }

    /// Returns the parameters that ask the requirement again.
    fn live(&self) -> impl Iterator<Item = &Parameter> {
        let parameters = self.function.parameters.iter();
        parameters.filter(|parameter| matches!(parameter.source, Source::Live))
    }

    /// Reports parameters that would always be empty.
    fn check_scopes(&self, errors: &mut Accumulator) {
        for parameter in &self.function.parameters {
            if matches!(parameter.source, Source::Scopes) {
                let sentence = "`SecurityScopes` is always empty in a handler; take it in a `#[dependency]`, which sees the scopes \
                                that the handler requires of it";
                errors.push(error_at(parameter.written.ty.span(), sentence));
            }
        }
    }

    /// Returns the values that the macro provides: first those of guards, then those of parameters
    /// in the order as written.
    fn provided(&self) -> impl Iterator<Item = Provided<'_>> {
        let parameters =
            self.function.parameters.iter().filter_map(|parameter| match &parameter.source {
                Source::Dependency(requirement) => {
                    Some(Provided::Dependency(requirement, &parameter.written.ty))
                }
                Source::Scopes | Source::Broken => Some(Provided::Broken(&parameter.written.ty)),
                Source::Extractor | Source::Argument(_) | Source::Live => None,
            });
        self.guards.iter().map(Provided::Guard).chain(parameters)
    }

    fn marker(&self, number: usize) -> Ident {
        marker(&self.name, number)
    }

    /// Returns the name of the marker of a `Live`.
    fn live_marker(&self) -> Ident {
        marker(&self.name, self.provided().count())
    }

    /// Returns the user's function, whose secured parameters become extractors.
    fn function(&self, attrs: &[Attribute]) -> TokenStream {
        let guards = self.guards.iter().enumerate().map(|(number, guard)| {
            let (name, marker) = (format_ident!("__guard_{number}"), self.marker(number));
            let ty = self.extractor(&parse_quote!(()), &marker, guard.path.span());
            WrittenParameter::new(Vec::new(), name, ty)
        });
        let mut number = self.guards.len();
        let mut statements = TokenStream::new();
        // A `Live` copies the head of the request before anything is resolved.
        let mut first = Vec::new();
        let is_unplanned = self.provided().next().is_none();
        let parameters = self.function.parameters.iter().filter_map(|parameter| {
            let written = &parameter.written;
            let is_live = matches!(parameter.source, Source::Live);
            if is_live && is_unplanned
                || matches!(parameter.source, Source::Extractor | Source::Argument(_))
            {
                return Some(written.clone());
            }
            let (attrs, pattern, ty) = (&written.attrs, &written.pattern, &written.ty);
            let name = match written.name() {
                Some(name) => name.clone(),
                None if is_live => format_ident!("__live"),
                None => format_ident!("__parameter_{number}"),
            };
            let value = self.value(parameter, &quote!(#name.value));
            let allow = is_unused(&name).then(|| quote!(#[allow(clippy::used_underscore_binding)]));
            statements.extend(quote!(#(#attrs)* #allow let #pattern: #ty = #value;));
            if is_live {
                let ty = self.extractor(ty, &self.live_marker(), ty.span());
                first.push(WrittenParameter::new(attrs.clone(), name, ty));
                return None;
            }
            let marker = self.marker(number);
            number += 1;
            let ty = self.extractor(ty, &marker, ty.span());
            Some(WrittenParameter::new(attrs.clone(), name, ty))
        });
        let parameters: Vec<_> = guards.chain(parameters).collect();
        first.extend(parameters);
        let parameters = first;
        let body = self.function.body_after(&statements);
        let function = self.function.with(attrs, &parameters, &body);
        let allow = (!self.guards.is_empty()).then(|| quote!(#[allow(clippy::too_many_arguments)]));
        quote!(#allow #function)
    }

    /// Returns the extractor that a parameter becomes. The framework's errors about it are shown at
    /// the user's type or path, because the type begins and ends there.
    fn extractor(&self, ty: &Type, marker: &Ident, at: Span) -> Type {
        let krate = match &self.krate {
            Path { leading_colon: Some(colon), segments } => {
                let colon = respanned(colon.to_token_stream(), at);
                quote!(#colon #segments)
            }
            path => respanned(path.to_token_stream(), at),
        };
        let name = format_ident!("Secured");
        Type::Verbatim(quote_spanned!(at=> #krate::#name<#ty, #marker>))
    }

    /// Returns the value of a parameter, checked against the type that its dependency yields. The
    /// error is shown at the type as written.
    fn value(&self, parameter: &Parameter, value: &TokenStream) -> TokenStream {
        let (krate, ty) = (&self.krate, &parameter.written.ty);
        let output = match &parameter.source {
            Source::Dependency(requirement) => requirement.output(krate),
            Source::Scopes
            | Source::Live
            | Source::Broken
            | Source::Extractor
            | Source::Argument(_) => quote!(#ty),
        };
        let value_of = checks::of_type(krate, ty, "value_of");
        let arguments = quote!(#value, ::core::marker::PhantomData::<#output>);
        quote_spanned!(ty.span()=> #value_of(#arguments))
    }
}

impl ToTokens for Handler {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let plan = Plan::new(self);
        let (krate, function) = (&self.krate, &self.function);
        let named = named(krate, function);
        let function = documented(krate, function, &self.marker(0), |attrs| self.function(attrs));
        let guards = self.guards.iter().map(|guard| {
            let (scopes, guard) = (guard.checks(krate), guard.guard_check(krate));
            quote!(#guard #scopes)
        });
        let guards = checks::each(guards);
        let checks =
            checks::all([plan.parameters(), guards, self.function.checks(krate), plan.check()]);
        tokens.extend(quote!(#function #named #plan #checks));
    }
}

/// Returns `true` if the user's code does not use a parameter of this name. Generated code does.
fn is_unused(name: &Ident) -> bool {
    name.unraw().to_string().starts_with('_')
}

/// A value that the macro provides.
enum Provided<'h> {
    Guard(&'h Requirement),
    Dependency(&'h Requirement, &'h Type),
    Broken(&'h Type),
}

/// The path of the attribute as written, which may be an alias.
struct OwnName(Option<Path>);

impl OwnName {
    fn of_this_call() -> Self {
        let attribute = Span::call_site().source_text().and_then(|text| {
            let inside = text.trim().strip_prefix("#[")?.strip_suffix(']')?;
            syn::parse_str::<Meta>(inside).ok()
        });
        Self(attribute.map(|meta| meta.path().clone()))
    }

    /// Returns `true` if another attribute is `#[secured]` too.
    fn is_of(&self, attr: &Attribute) -> bool {
        let mut segments = attr.path().segments.iter().rev();
        let is_secured = segments.next().is_some_and(|last| last.ident == "secured");
        let krate = segments.next();
        // A bare `secured` may be another crate's attribute, unless this call is written the same
        // way.
        let is_known = krate.map_or(self.0.is_none(), |krate| krate.ident == "doorward");
        is_secured && is_known || self.0.as_ref() == Some(attr.path())
    }
}
