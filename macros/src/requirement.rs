//! What a handler or dependency requires: `#[security(path, scopes("items"))]`, `#[secured(path, scopes("items"))]`,
//! `plan!(path, scopes("items"))`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, Path, Token, Type, parenthesized};

use crate::checks::{check, is_result};
use crate::types::is_plain;

/// A dependency, by its path, and the scopes that are required of it.
pub(crate) struct Requirement {
    pub(crate) path: Path,
    scopes: Vec<Expr>,
}

impl Parse for Requirement {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            return Err(syn::Error::new(
                input.span(),
                "name a scheme or a dependency, such as `OAuth2`",
            ));
        }
        if input.peek(Lit) {
            return Err(input.error(
                "a scheme or a dependency is a path, not a string; write its name without quotes",
            ));
        }
        let path = input.call(Path::parse_mod_style)?;
        if input.peek(syn::token::Paren) {
            return Err(input.error(
                "a scheme or a dependency is named, not called; write its path without `()`",
            ));
        }
        let mut scopes = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let option: Ident = input.parse()?;
            if option != "scopes" || !scopes.is_empty() {
                let sentence = format!(
                    "unknown option `{option}`; write `scopes(\"items\")` after the path, once"
                );
                return Err(syn::Error::new(option.span(), sentence));
            }
            if !input.peek(syn::token::Paren) {
                let sentence = "`scopes` is a list; write `scopes(\"items\")`";
                return Err(syn::Error::new(option.span(), sentence));
            }
            let list;
            parenthesized!(list in input);
            scopes.extend(Punctuated::<Expr, Token![,]>::parse_terminated(&list)?);
            if let Some(scope) = scopes.iter().find(|scope| !is_text(scope)) {
                let sentence = "a scope is a string; write `scopes(\"items\")`, or a constant";
                return Err(syn::Error::new(scope.span(), sentence));
            }
        }
        Ok(Self { path, scopes })
    }
}

fn is_text(scope: &Expr) -> bool {
    match scope {
        Expr::Lit(ExprLit {
            lit: Lit::Str(_), ..
        })
        | Expr::Path(_)
        | Expr::Macro(_) => true,
        Expr::Group(group) => is_text(&group.expr),
        _ => false,
    }
}

/// The arguments of a macro that takes one requirement: `crate = path` where it is needed, then the requirement, if any.
pub(crate) struct Arguments {
    pub(crate) krate: Option<Path>,
    pub(crate) requirement: Option<Requirement>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut krate = None;
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            krate = Some(input.call(Path::parse_mod_style)?);
            input.parse::<Option<Token![,]>>()?;
        }
        let requirement = if input.is_empty() {
            None
        } else {
            Some(input.parse()?)
        };
        Ok(Self { krate, requirement })
    }
}

impl Requirement {
    /// The dependency's type, in trait position.
    fn dependency(&self, krate: &Path) -> TokenStream {
        let path = &self.path;
        quote_spanned!(path.span()=> <#path as #krate::Dependency>)
    }

    /// What the dependency yields.
    pub(crate) fn output(&self, krate: &Path) -> TokenStream {
        let dependency = self.dependency(krate);
        quote_spanned!(self.path.span()=> #dependency::Output)
    }

    /// What the dependency yields, for a parameter: its type as it is written where it is plain, so that another one is the error of that
    /// parameter alone.
    pub(crate) fn output_as(&self, parameter: &Type, krate: &Path) -> TokenStream {
        if is_plain(parameter) {
            parameter.to_token_stream()
        } else {
            self.output(krate)
        }
    }

    /// The edge to the dependency, as const data.
    pub(crate) fn edge(&self, krate: &Path) -> TokenStream {
        let (node, scopes) = (self.node(krate), &self.scopes);
        quote!(#krate::__rt::Edge::new(#node, &[#(#scopes),*]))
    }

    /// The dependency, as const data.
    fn node(&self, krate: &Path) -> TokenStream {
        let dependency = self.dependency(krate);
        quote_spanned!(self.path.span()=> #dependency::NODE)
    }

    /// The check that the dependency refuses some requests, as a guard has to, and leaves no refusal to who takes what it yields.
    pub(crate) fn guard_check(&self, krate: &Path) -> TokenStream {
        let (output, at) = (self.output(krate), self.path.span());
        let yields_result = is_result(krate, &output);
        let refuses = check(krate, "check_guard", &self.node(krate), at);
        let loses_no_error = check(krate, "check_guard_output", &yields_result, at);
        quote!(#refuses #loses_no_error)
    }

    /// The checks of the scopes against what the schemes below declare, each with its error at the scope.
    pub(crate) fn scope_checks(&self, krate: &Path) -> TokenStream {
        let node = self.node(krate);
        let checks = self
            .scopes
            .iter()
            .map(|scope| check(krate, "check_scope", &quote!(#node, #scope), scope.span()));
        checks.collect()
    }
}
