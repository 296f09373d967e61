//! An entry point of a block: it resolves its plan, and then does what it did before.

use darling::error::Accumulator;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Meta, Path, ReturnType, Token, Type, Visibility, parse_quote};

use super::entry::argument;
use super::entry::{Entry, Kind, returns_future};
use super::routes::Line;
use super::{Block, list_of};
use crate::attribute::error_at;
use crate::emit::checks;
use crate::function::{Function, Item, Parameter, Source, WrittenParameter, is_cfg};
use crate::handler::marker;
use crate::public::{self, PublicArguments};
use crate::requirement::{Required, Requirement, Site};
use crate::secured::plan::Plan;
use crate::secured::{Handler, Provided};
use crate::types::is_named;

/// A secured method.
pub(super) struct Method {
    handler: Handler,
    entry: Entry,
    /// The number of guards that are the block's.
    of_block: usize,
    /// `true` if the method returns a future, which has been reported.
    is_future: bool,
}

impl Method {
    /// Reads a method, whose attributes `#[security]` are `security`.
    pub(super) fn read(
        block: &Block,
        method: Item,
        entry: Entry,
        security: &[Attribute],
        errors: &mut Accumulator,
    ) -> Self {
        let is_future = returns_future(&method);
        if is_future {
            let sentence = "a secured method waits for what it requires before it begins; write it as an `async fn`";
            errors.push(error_at(method.signature.output.span(), sentence));
        }
        let mut function = Function::of_method(method, block.names.clone(), errors);
        let parameters = function.parameter_names();
        let mut guards = block.guards.clone();
        for attr in security {
            let Meta::List(_) = &attr.meta else {
                let sentence = "name a scheme or a dependency; write `#[security(current_user)]`";
                errors.push(error_at(attr.span(), sentence));
                continue;
            };
            guards.extend(Required::read(list_of(attr), Site::Method, errors).requirement);
        }
        for guard in guards.iter_mut().skip(block.guards.len()) {
            guard.refuse_parameters(&Vec::from_iter(&parameters), errors);
        }
        let of_block = block.guards.len();
        let mut number = 0;
        guards.retain(|guard| {
            number += 1;
            number <= of_block || guard.refuse_names(&block.names, errors)
        });
        for parameter in &mut function.parameters {
            if let Source::Live = parameter.source
                && block.service.is_none()
            {
                let sentence = "`Live` is for the handler of a route; a client of MCP gets one answer from this method";
                errors.push(error_at(parameter.written.ty.span(), sentence));
                parameter.source = Source::Broken;
            }
            if let Source::Dependency(requirement) = &parameter.source
                && !requirement.refuse_names(&block.names, errors)
            {
                parameter.source = Source::Broken;
            }
        }
        let name = block.marker_name(&function.signature.ident);
        let mut handler = Handler {
            krate: block.krate.clone(),
            function,
            name,
            guards,
            aliases: TokenStream::new(),
        };
        handler.check_scopes(errors);
        handler.check_live(errors);
        let is_decided = block.has_guards || !security.is_empty();
        if handler.provided().next().is_none() && !is_decided {
            errors.push(error_at(handler.function.signature.ident.span(), entry.undecided()));
        }
        handler.name_dependencies(of_block);
        Self { handler, entry, of_block, is_future }
    }

    /// Adds the method to its block, and the plan beside it.
    pub(super) fn add_to(mut self, block: &mut Block) {
        if self.is_future || self.handler.provided().next().is_none() {
            return block.items.extend(self.handler.function.original());
        }
        let cfgs = cfgs(&self.handler.function.attrs);
        let method = self.function(block);
        block.items.extend(method);
        block.entries.push(Line {
            kind: self.entry.kind,
            name: self.entry.name.clone(),
            method: self.handler.function.signature.ident.clone(),
            marker: self.handler.marker(0),
            cfgs: cfgs.clone(),
        });
        // The markers are used in the block alone.
        self.handler.function.vis = Visibility::Inherited;
        let plan = Plan::of_method(&self.handler, &self.entry.name);
        let krate = &block.krate;
        let own = self.handler.guards.iter().skip(self.of_block).map(|guard: &Requirement| {
            let (scopes, guard) = (guard.checks(krate), guard.guard_check(krate));
            quote!(#guard #scopes)
        });
        let own = checks::each(own);
        let function = self.handler.function.checks(krate);
        let checks = checks::all([own, function, plan.check()]);
        block.beside.extend(conditional(block, &cfgs, &quote!(#plan #checks)));
    }

    /// Returns the method, which begins with its plan.
    fn function(&mut self, block: &Block) -> TokenStream {
        let head = Ident::new("__head", Span::mixed_site());
        let context = self.context();
        let (krate, module) = (&self.handler.krate.clone(), &block.module());
        let mut statements = match &context {
            Some((name, rebound)) => quote! {
                let #head = #krate::#module::Head::of(&#name);
                #rebound
            },
            None => TokenStream::new(),
        };
        statements.extend(self.resolved(&head, module));
        let parameters = self.handler.function.parameters.iter();
        let extracted = parameters
            .filter(|parameter| matches!(parameter.source, Source::Extractor | Source::Argument(_)))
            .map(|parameter| parameter.written.clone());
        let added = context.is_none().then(|| {
            WrittenParameter::new(Vec::new(), head.clone(), parse_quote!(#krate::#module::Head))
        });
        let parameters = Vec::from_iter(extracted.chain(added));
        let body = match self.wrapped() {
            None => self.handler.function.body_after(&statements),
            Some(returned) => {
                let hint = match &returned {
                    Type::ImplTrait(_) => TokenStream::new(),
                    // Says what the body yields, because nothing else does.
                    ty => {
                        let answer = Ident::new("answer", Span::mixed_site());
                        let none = quote!(::core::option::Option::None::<#ty>);
                        quote!(if let ::core::option::Option::Some(#answer) = #none { return #answer; })
                    }
                };
                let error = quote!(#krate::__rt::rmcp3::rmcp::ErrorData);
                self.handler.function.signature.output =
                    parse_quote!(-> ::core::result::Result<#returned, #error>);
                let body = &self.handler.function.body;
                quote!({ #statements ::core::result::Result::Ok(async { #hint #body }.await) })
            }
        };
        let signature = &mut self.handler.function.signature;
        signature.asyncness.get_or_insert_with(<Token![async]>::default);
        let marker = self.handler.marker(0);
        let attrs = self.handler.function.attrs.clone();
        let attrs = described(attrs, &marker, block.settings.describes, krate);
        let function = self.handler.function.with(&attrs, &parameters, &body);
        quote!(#[allow(clippy::too_many_arguments, clippy::unused_async)] #function)
    }

    /// Returns the name of the parameter with the request, for a method of a trait, and the statement
    /// that binds it as it is written.
    fn context(&mut self) -> Option<(Ident, TokenStream)> {
        if !self.entry.is_of_trait {
            return None;
        }
        let parameters = &mut self.handler.function.parameters;
        let is_request = |parameter: &Parameter| self.entry.is_request(&parameter.written);
        let is_extractor = |parameter: &Parameter| matches!(parameter.source, Source::Extractor);
        let number = parameters.iter().position(is_request);
        // Behind an alias, it is the last one.
        let number = number.or_else(|| parameters.iter().rposition(is_extractor))?;
        let written = &mut parameters.get_mut(number)?.written;
        let name = Ident::new("__context", Span::mixed_site());
        let (pattern, ty) = (&written.pattern, &written.ty);
        let rebound = quote!(let #pattern: #ty = #name;);
        *written = WrittenParameter::new(written.attrs.clone(), name.clone(), ty.clone());
        Some((name, rebound))
    }

    /// Returns the statements that resolve what is required, in order.
    fn resolved(&self, head: &Ident, module: &Ident) -> TokenStream {
        let handler = &self.handler;
        let krate = &handler.krate;
        let [value, refusal] =
            ["value", "refusal"].map(|name| Ident::new(name, Span::mixed_site()));
        let at = match &handler.function.signature.output {
            ReturnType::Type(_, ty) => ty.span(),
            ReturnType::Default => Span::call_site(),
        };
        // The error about its type is shown at the return type.
        let refused = quote_spanned!(at=> #krate::__rt::#module::refused::<_, _>(#refusal));
        let first = handler.marker(0);
        let mut values = handler.function.parameters.iter().filter(|parameter| {
            !matches!(parameter.source, Source::Extractor | Source::Argument(_) | Source::Live)
        });
        let mut bound = TokenStream::new();
        let (mut dependencies, mut types, mut at, mut names) = (vec![], vec![], vec![], vec![]);
        let position = quote!(#krate::__rt::PlanPosition);
        // It copies the head of the request before anything is resolved.
        for (number, live) in handler.live().enumerate() {
            let WrittenParameter { attrs, pattern, ty, .. } = &live.written;
            let name = Ident::new(&format!("live_{number}"), Span::mixed_site());
            let again = Plan::of_method(handler, &self.entry.name).again();
            at.push(quote!(<#again as #position>::CURSOR));
            dependencies.push(again);
            types.push(ty.to_token_stream());
            bound.extend(quote!(#(#attrs)* let #pattern: #ty = #name;));
            names.push(name.into_token_stream());
        }
        for (number, provided) in handler.provided().enumerate() {
            let name = Ident::new(&format!("value_{number}"), Span::mixed_site());
            dependencies.push(provided.filled(&provided.path(krate), krate));
            at.push(quote!(<#krate::__rt::CursorOf<#first, #number> as #position>::CURSOR));
            let is_guard = matches!(provided, Provided::Guard(_));
            let Some(parameter) = (!is_guard).then(|| values.next()).flatten() else {
                types.push(quote!(()));
                names.push(quote!(()));
                continue;
            };
            let WrittenParameter { attrs, pattern, ty, .. } = &parameter.written;
            let value_of = handler.value(parameter, &name.to_token_stream());
            bound.extend(quote!(#(#attrs)* let #pattern: #ty = #value_of;));
            types.push(ty.to_token_stream());
            names.push(name.into_token_stream());
        }
        let at = quote!([#(#at),*]);
        quote! {
            let (#(#names,)*) = match #head.resolve::<#first, (#(#dependencies,)*), (#(#types,)*), _>(#at).await {
                ::core::result::Result::Ok(#value) => #value,
                ::core::result::Result::Err(#refusal) => return #refused,
            };
            #bound
        }
    }

    /// Returns the return type, if it becomes the value of a `Result`.
    fn wrapped(&self) -> Option<Type> {
        let returned = self.handler.function.output();
        (!self.entry.is_of_trait && !is_named(&returned, "Result")).then_some(returned)
    }
}

/// A public method, which stays as it is.
pub(super) struct PublicMethod {
    function: Function,
    entry: Entry,
    arguments: PublicArguments,
}

impl PublicMethod {
    pub(super) fn read(
        block: &Block,
        method: Item,
        entry: Entry,
        public: &Attribute,
        errors: &mut Accumulator,
    ) -> Self {
        let arguments = PublicArguments::read(list_of(public), public.path().span(), errors);
        let function = Function::of_method(method, block.names.clone(), errors);
        for parameter in &function.parameters {
            if let Source::Dependency(requirement) = &parameter.source {
                let sentence =
                    "a public method requires nothing; remove `#[public]`, or this attribute";
                errors.push(error_at(requirement.path.span(), sentence));
            }
        }
        Self { function, entry, arguments }
    }

    pub(super) fn add_to(mut self, block: &mut Block) {
        let method = &self.function.signature.ident;
        let marker = marker(&block.marker_name(method), 0);
        let reason = self.arguments.reason.as_ref();
        let (plan, check) = public::plan(&block.krate, &Visibility::Inherited, &marker, reason);
        let check = checks::all([check]);
        let cfgs = cfgs(&self.function.attrs);
        let describes = block.settings.describes_public;
        let attrs = core::mem::take(&mut self.function.attrs);
        self.function.attrs = described(attrs, &marker, describes, &block.krate);
        let (method, krate) = (&self.function.signature.ident, &block.krate);
        let function = match block.service {
            Some(_) => self.function.beginning_with(&quote!(#krate::__rt::tonic014::met();)),
            None => self.function.original(),
        };
        block.items.extend(function);
        block.beside.extend(conditional(block, &cfgs, &quote!(#plan #check)));
        block.entries.push(Line {
            kind: self.entry.kind,
            name: self.entry.name,
            method: method.clone(),
            marker,
            cfgs,
        });
    }
}

/// Returns the attributes of a method. The one of a tool says what the tool requires, if `describes`.
fn described(
    mut attrs: Vec<Attribute>,
    marker: &Ident,
    describes: bool,
    krate: &Path,
) -> Vec<Attribute> {
    let is_tool = |attr: &&mut Attribute| describes && Kind::Tool.is_made_by(attr);
    if let Some(attr) = attrs.iter_mut().find(is_tool) {
        let written = argument(attr, "meta");
        let rmcp3 = quote!(#krate::__rt::rmcp3);
        let meta = written.unwrap_or_else(|| quote!(#rmcp3::rmcp::model::MetaObject::new()));
        let others = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list_of(attr));
        let others = others.into_iter().flatten().filter(|other| !other.path().is_ident("meta"));
        let others = others.map(|other| quote!(#other,));
        let path = attr.path();
        attr.meta = parse_quote! {
            #path(#(#others)* meta = #rmcp3::security_schemes::<#marker>(#meta))
        };
    }
    attrs
}

/// Returns the conditions under which a method is there.
fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| is_cfg(attr) && attr.path().is_ident("cfg")).cloned().collect()
}

/// Returns items that are there under the same conditions as a method.
fn conditional(block: &Block, cfgs: &[Attribute], items: &TokenStream) -> TokenStream {
    match cfgs {
        [] => items.clone(),
        cfgs => {
            let items = block.if_supported(items);
            quote!(#(#cfgs)* #items)
        }
    }
}
