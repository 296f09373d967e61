//! The tables of a block's entry points, beside its trait or the routers of rmcp.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, LitStr, ReturnType, Visibility, parse_quote};

use super::Block;
use super::entry::{Kind, argument};
use crate::function::Item;
use crate::types::is_named;

/// An entry point with a plan.
pub(super) struct Line {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) method: Ident,
    pub(super) marker: Ident,
    pub(super) cfgs: Vec<Attribute>,
}

/// A router of rmcp, as far as its table needs it.
pub(super) struct Router {
    kind: Kind,
    name: Ident,
    vis: Visibility,
}

/// Returns the functions with the tables, which are in the block unless it implements a trait, and
/// the items beside it.
pub(super) fn tables(block: &Block) -> (TokenStream, TokenStream) {
    let of_trait = block.service.as_ref().map(snake_case);
    let of_trait = of_trait.or_else(|| block.is_server_handler.then(|| "handler".to_owned()));
    if let Some(of_trait) = of_trait {
        if block.entries.is_empty() {
            return (TokenStream::new(), TokenStream::new());
        }
        let vis = parse_quote!(pub(crate));
        let (table, beside) = table(block, &format_ident!("{of_trait}"), &vis, &|_| true);
        let header = &block.header;
        let (generics, _, where_clause) = header.generics.split_for_impl();
        let of_type = &header.self_ty;
        let apart = quote! {
            #[automatically_derived]
            impl #generics #of_type #where_clause { #table }
            #beside
        };
        return (TokenStream::new(), apart);
    }
    let tables = [Kind::Tool, Kind::Prompt].into_iter().map(|kind| {
        let has_one = block.entries.iter().any(|line| line.kind == kind);
        let router = Router::of(block, kind).filter(|_| has_one);
        router.map(|router| table(block, &router.name, &router.vis, &|of| of == router.kind))
    });
    tables.flatten().unzip()
}

fn table(
    block: &Block,
    router: &Ident,
    vis: &Visibility,
    is_of: &dyn Fn(Kind) -> bool,
) -> (TokenStream, TokenStream) {
    let (krate, module) = (&block.krate, block.module());
    let (name, entries) = (format_ident!("{router}_routes"), entries_of(router));
    let of_type = block.header.self_ty.to_token_stream().to_string().replace(' ', "");
    let lines = block.entries.iter().filter(|line| is_of(line.kind)).map(|line| {
        let Line { kind, name, method, marker, cfgs } = line;
        let (kind, method) = (kind.word(), format!("{of_type}::{method}"));
        quote! {
            #(#cfgs)*
            #krate::__rt::#module::Entry::new::<#marker>(
                #kind,
                #name,
                #method,
            )
        }
    });
    let first = block.entries.iter().find(|line| is_of(line.kind)).map(|line| &line.marker);
    let list = format_ident!("{}_{router}", first.map(ToString::to_string).unwrap_or_default());
    let beside = quote! {
        // A function, because `cargo check` would evaluate a constant with all plans.
        #[allow(non_snake_case)]
        fn #list() -> &'static [#krate::__rt::#module::Entry] {
            const { &[#(#lines),*] }
        }
    };
    // The macro does not know it.
    let service = block.service.as_ref().map(|_| Ident::new("service", Span::mixed_site()));
    let (parameter, argument) = (service.iter(), service.iter());
    let table = quote! {
        /// Returns the table of what the entry points of this block require.
        #[allow(dead_code)]
        #vis fn #name(#(#parameter: &str)*) -> #krate::routes::Routes {
            #krate::__rt::#module::routes(#(#argument,)* ::core::module_path!(), #list())
        }

        #[doc(hidden)]
        #[allow(dead_code)]
        #vis fn #entries() -> &'static [#krate::__rt::#module::Entry] {
            #list()
        }
    };
    (table, beside)
}

/// Returns the name of a trait as that of a function.
fn snake_case(name: &Ident) -> String {
    let mut snake_case = String::new();
    let mut is_in_word = false;
    for letter in name.to_string().chars() {
        if letter.is_uppercase() && is_in_word {
            snake_case.push('_');
        }
        is_in_word = !letter.is_uppercase();
        snake_case.extend(letter.to_lowercase());
    }
    snake_case
}

/// Returns the name of the function with the entry points of a router.
pub(super) fn entries_of(router: &Ident) -> Ident {
    format_ident!("__{router}_entries")
}

impl Router {
    /// Returns the router of a block, which an attribute of rmcp makes.
    fn of(block: &Block, kind: Kind) -> Option<Self> {
        let default = match kind {
            Kind::Tool => "tool_router",
            Kind::Prompt => "prompt_router",
            Kind::Resource | Kind::Call => return None,
        };
        let attr = block
            .header
            .attrs
            .iter()
            .find(|attr| attr.path().segments.last().is_some_and(|last| last.ident == default));
        let text = |wanted: &str| {
            let value = argument(attr?, wanted)?;
            let text = syn::parse2::<LitStr>(value.clone()).map(|text| text.value());
            Some(text.unwrap_or_else(|_| value.to_string()))
        };
        let name = text("router").and_then(|name| syn::parse_str(&name).ok());
        let vis = text("vis").and_then(|vis| syn::parse_str(&vis).ok());
        // An attribute above this one has written its function already, at the end.
        let mut above = block.routers.iter().rev();
        let (above_name, above_vis) =
            above.find(|router| router.kind == kind && attr.is_none()).map_or_else(
                || (format_ident!("{default}"), Visibility::Inherited),
                |router| (router.name.clone(), router.vis.clone()),
            );
        Some(Self { kind, name: name.unwrap_or(above_name), vis: vis.unwrap_or(above_vis) })
    }

    /// Returns the router that a method returns.
    pub(super) fn returned_by(method: &Item) -> Option<Self> {
        let ReturnType::Type(_, ty) = &method.signature.output else { return None };
        let kind = match () {
            () if is_named(ty, "ToolRouter") => Kind::Tool,
            () if is_named(ty, "PromptRouter") => Kind::Prompt,
            () => return None,
        };
        Some(Self { kind, name: method.signature.ident.clone(), vis: method.vis.clone() })
    }
}
