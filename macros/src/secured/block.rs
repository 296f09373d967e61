//! `#[secured]` above an `impl`: each method of a service of gRPC, or each tool, prompt and method that
//! serves resources of an MCP server, gets a plan.

mod entry;
mod list;
mod method;
mod routes;
mod settings;

use darling::Error;
use darling::error::Accumulator;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::parse::discouraged::Speculative;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Attribute, GenericParam, ImplItem, ItemImpl, Meta, Path};

use self::entry::Entry;
use self::method::{Method, PublicMethod};
use self::settings::Settings;
use super::OwnName;
use crate::attribute::{CratePath, error_at};
use crate::emit::checks;
use crate::function::{Function, Item, Source, is_security};
use crate::handler::{is_ours, marker};
use crate::requirement::{Required, Requirement, Site};

/// The `impl` as it is written.
pub(super) struct Written {
    /// Everything but the items.
    header: ItemImpl,
    items: Vec<Member>,
}

enum Member {
    Method(Box<Item>),
    /// A constant, a type, or the call of a macro.
    Other(TokenStream),
}

impl Written {
    /// Reads an item that is an `impl`.
    pub(super) fn read(item: &TokenStream) -> Option<Self> {
        let mut words = item.clone().into_iter().filter_map(|token| match token {
            TokenTree::Ident(word) => Some(word),
            _ => None,
        });
        if words.find(|word| word != "unsafe").is_none_or(|word| word != "impl") {
            return None;
        }
        let mut tokens = Vec::from_iter(item.clone());
        let Some(TokenTree::Group(body)) = tokens.pop() else { return None };
        let header = quote!(#(#tokens)* {});
        (body.delimiter() == Delimiter::Brace).then_some(())?;
        Some(Self { header: syn::parse2(header).ok()?, items: members.parse2(body.stream()).ok()? })
    }
}

fn members(input: ParseStream<'_>) -> syn::Result<Vec<Member>> {
    let mut members = Vec::new();
    while !input.is_empty() {
        let ahead = input.fork();
        members.push(match ahead.parse() {
            Ok(method) => {
                input.advance_to(&ahead);
                Member::Method(Box::new(method))
            }
            Err(_) => Member::Other(input.parse::<ImplItem>()?.into_token_stream()),
        });
    }
    Ok(members)
}

/// Expands `#[secured]` to the block, whose secured methods resolve their plans first, and the
/// plans.
pub(super) fn expand(args: TokenStream, written: Written) -> TokenStream {
    let mut errors = Error::accumulator();
    let mut block = Block::read(args, written.header, &mut errors);
    let first = written.items.iter().find_map(|member| match member {
        Member::Method(method) => Some(&method.signature.ident),
        Member::Other(_) => None,
    });
    block.name_guards(first);
    for member in written.items {
        match member {
            Member::Method(method) => block.add(*method, &mut errors),
            Member::Other(other) => block.items.extend(other),
        }
    }
    block.check(&mut errors);
    let listed = list::method(&block, &mut errors);
    block.items.extend(listed);
    let errors = errors.finish().err().map(Error::write_errors);
    let items = block.if_supported(&block.to_token_stream());
    quote!(#items #errors)
}

/// A block with secured methods.
struct Block {
    krate: Path,
    header: ItemImpl,
    is_server_handler: bool,
    /// The trait of a service of gRPC. Any other block is of an MCP server.
    service: Option<Ident>,
    /// The name from which those of the markers are made.
    name: String,
    /// The names that have a meaning only inside.
    names: Vec<Ident>,
    /// What is required of each entry point that is not public.
    guards: Vec<Requirement>,
    has_guards: bool,
    settings: Settings,
    /// The items of the block.
    items: TokenStream,
    /// The items beside the block.
    beside: TokenStream,
    entries: Vec<routes::Line>,
    /// `true` if there is an entry point, even an undecided one.
    has_entry: bool,
    /// The routers that methods return.
    routers: Vec<routes::Router>,
}

impl Block {
    /// Reads the attribute and the ones of the same name below it.
    fn read(args: TokenStream, mut header: ItemImpl, errors: &mut Accumulator) -> Self {
        let name = OwnName::of_this_call();
        let below: Vec<_> = header.attrs.extract_if(.., |attr| name.is_of(attr)).collect();
        let (mut krate, mut guards, mut has_guards) = (None, Vec::new(), false);
        let mut settings = Settings::default();
        for list in core::iter::once(args).chain(below.iter().map(list_of)) {
            let list = settings.take(list, errors);
            let required = Required::read(list, Site::Guard, errors);
            has_guards |= required.is_written;
            krate = krate.or(required.krate);
            guards.extend(required.requirement);
        }
        let names = names(&header);
        guards.retain(|guard| guard.refuse_names(&names, errors));
        let of_trait = header.trait_.as_ref().and_then(|(of_trait, _)| of_trait.segments.last());
        let is_server_handler = of_trait.is_some_and(|last| last.ident == "ServerHandler");
        let is_async_trait = |attr: &Attribute| {
            attr.path().segments.last().is_some_and(|last| last.ident == "async_trait")
        };
        let service = of_trait.filter(|_| header.attrs.iter().any(is_async_trait));
        let service = service.map(|last| last.ident.clone());
        Self {
            krate: krate.unwrap_or_else(|| CratePath::default().0),
            is_server_handler,
            service,
            name: name_of(&header),
            names,
            guards,
            has_guards,
            settings,
            items: TokenStream::new(),
            beside: TokenStream::new(),
            entries: Vec::new(),
            has_entry: false,
            routers: Vec::new(),
            header,
        }
    }

    /// Gives each guard an alias, so that a path that is no type is one error, and checks it once.
    /// The alias is named after the first method, because a type may have several blocks.
    fn name_guards(&mut self, first: Option<&Ident>) {
        let krate = &self.krate;
        let first = first.map(ToString::to_string).unwrap_or_default();
        let name = format_ident!("{}_{}_guard", self.name, first.trim_start_matches("r#"));
        let checks = self.guards.iter_mut().enumerate().map(|(number, guard)| {
            let alias = guard.alias(&format_ident!("{}_of", marker(&name, number)));
            self.beside.extend(alias);
            let (scopes, guard) = (guard.checks(krate), guard.guard_check(krate));
            quote!(#guard #scopes)
        });
        let checks = checks::each(Vec::from_iter(checks));
        self.beside.extend(checks::all([checks]));
    }

    /// Adds a method of the block.
    fn add(&mut self, mut method: Item, errors: &mut Accumulator) {
        let mut take = |is: &dyn Fn(&Attribute) -> bool| {
            Vec::from_iter(method.attrs.extract_if(.., |attr| is(attr)))
        };
        let security = take(&is_security);
        let public = take(&|attr| is_ours(attr, "public"));
        for attr in take(&|attr| is_ours(attr, "secured")) {
            let sentence =
                "`#[secured]` is above the block already; write `#[security(…)]` above a method";
            errors.push(error_at(attr.path().span(), sentence));
        }
        if is_expanded(&method) {
            return self.add_expanded(method, errors);
        }
        let Some(entry) = Entry::of(&method, self) else {
            for attr in security.iter().chain(&public) {
                let sentence = "this method is called by no client; put the attribute above a tool, a prompt, or a method of \
                                `ServerHandler` that takes a `RequestContext`";
                errors.push(error_at(attr.path().span(), sentence));
            }
            self.routers.extend(routes::Router::returned_by(&method));
            let Item { attrs, vis, signature, body } = method;
            return self.items.extend(quote!(#(#attrs)* #vis #signature #body));
        };
        self.has_entry = true;
        if let [public, others @ ..] = &*public {
            for attr in security.iter().chain(others) {
                let sentence =
                    "a method is either secured or public; remove one of the two attributes";
                errors.push(error_at(attr.path().span(), sentence));
            }
            let method = PublicMethod::read(self, method, entry, public, errors);
            method.add_to(self);
        } else {
            let method = Method::read(self, method, entry, &security, errors);
            method.add_to(self);
        }
    }

    /// Adds a method that `#[async_trait]` has expanded, without its body, which may use secured
    /// parameters. The first one is reported.
    fn add_expanded(&mut self, method: Item, errors: &mut Accumulator) {
        if !self.has_entry {
            let sentence = "`#[async_trait]` has expanded this method already; write `#[secured]` above `#[async_trait]`";
            errors.push(error_at(method.signature.ident.span(), sentence));
        }
        self.has_entry = true;
        let function = Function::of_method(method, self.names.clone(), errors);
        let parameters = function.parameters.iter();
        let extractors = parameters
            .filter(|parameter| matches!(parameter.source, Source::Extractor))
            .map(|parameter| parameter.written.clone());
        let body = quote!({ ::core::unreachable!() });
        self.items.extend(function.with(&function.attrs, &Vec::from_iter(extractors), &body));
    }

    fn check(&self, errors: &mut Accumulator) {
        // A list of granted tools says which layer there is, and asks for nothing itself.
        let is_list =
            self.settings.list.is_some() && self.guards.iter().all(|guard| guard.is_of_layer);
        let is_open = self.is_server_handler && (is_list || !self.has_guards);
        if !self.has_entry && !is_open {
            let sentence = "this block has no tool, prompt or other method that a client calls, so nothing in it is secured; write \
                            `#[secured]` above the block that has them";
            errors.push(error_at(self.header.self_ty.span(), sentence));
        }
    }

    /// Returns the name of the module with what the methods call.
    fn module(&self) -> Ident {
        format_ident!("{}", if self.service.is_some() { "tonic014" } else { "rmcp3" })
    }

    /// Returns items, or the compile error in a build without what they are for.
    fn if_supported(&self, items: &TokenStream) -> TokenStream {
        let (krate, checked) = (&self.krate, format_ident!("__{}", self.module()));
        quote!(#krate::#checked! { #items })
    }

    /// Returns the name of a marker of a method.
    fn marker_name(&self, method: &Ident) -> Ident {
        format_ident!("{}_{}", self.name, method, span = method.span())
    }
}

impl ToTokens for Block {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (beside, items) = (&self.beside, &self.items);
        let (within, apart) = routes::tables(self);
        let mut block = self.header.clone();
        block.items = vec![ImplItem::Verbatim(quote!(#items #within))];
        tokens.extend(quote!(#block #apart #beside));
    }
}

/// Returns `true` if `#[async_trait]` has expanded a method already.
fn is_expanded(method: &Item) -> bool {
    method.signature.generics.lifetimes().any(|named| named.lifetime.ident == "async_trait")
}

/// Returns the arguments of an attribute.
fn list_of(attr: &Attribute) -> TokenStream {
    match &attr.meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    }
}

/// Returns the names that have a meaning only in a block.
fn names(header: &ItemImpl) -> Vec<Ident> {
    let parameters = header.generics.params.iter().map(|parameter| match parameter {
        GenericParam::Lifetime(parameter) => parameter.lifetime.ident.clone(),
        GenericParam::Type(parameter) => parameter.ident.clone(),
        GenericParam::Const(parameter) => parameter.ident.clone(),
    });
    parameters.chain([Ident::new("Self", Span::call_site())]).collect()
}

/// Returns the words of the whole header as one name, so that the markers of `impl Server<A>` and
/// `impl Server<B>` differ.
fn name_of(header: &ItemImpl) -> String {
    let of_trait = header.trait_.as_ref().map(|(of_trait, _)| of_trait);
    let (of_type, generics) = (&header.self_ty, &header.generics.where_clause);
    let text = quote!(#of_trait #of_type #generics).to_string();
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    Vec::from_iter(words.filter(|word| !word.is_empty())).join("_")
}
