//! The scopes that a flow declares: `scopes("me" = "Read information about the current user.")`.
//!
//! `"me" = "…"` is not a meta item, so the list has its own parser.

use std::collections::HashSet;

use darling::{Error, FromMeta, Result};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Ident, LitStr, Meta, Path, Token, token};

use super::hierarchy;
use crate::attribute::{Text, error_at, list};

const EXAMPLE: &str = "\"items\" = \"Read items.\"";

/// The declared scopes, in the order of the attribute.
#[derive(Default)]
pub(crate) struct Scopes {
    declared: Vec<Scope>,
    mistakes: Vec<Error>,
}

struct Scope {
    name: LitStr,
    /// The name of the scheme's constant for the scope, if `as` gives one.
    constant: Option<Ident>,
    implies: Vec<LitStr>,
    description: Text,
}

impl FromMeta for Scopes {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let list = list(meta, EXAMPLE)?.clone();
        let mut errors = Error::accumulator();
        let parsed = Punctuated::<Entry, Token![,]>::parse_terminated.parse2(list);
        let entries = errors.handle(parsed.map_err(Error::from));
        let mut names = HashSet::new();
        let mut declared = Vec::new();
        for entry in entries.unwrap_or_default() {
            if let Some(scope) = errors.handle(entry.read()) {
                errors.handle(scope.check(&mut names));
                declared.push(scope);
            }
        }
        let mut mistakes = errors.into_inner();
        mistakes.extend(hierarchy::check(
            declared.iter().map(|scope: &Scope| (&scope.name, &*scope.implies)),
        ));
        Ok(Self { declared, mistakes })
    }
}

impl Scopes {
    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    /// Returns the span of the first scope, if there is one.
    pub(crate) fn span(&self) -> Option<Span> {
        Some(self.declared.first()?.name.span())
    }

    pub(crate) fn take_mistakes(&mut self) -> Vec<Error> {
        core::mem::take(&mut self.mistakes)
    }

    /// Returns an error for each scope that implies other scopes than in an earlier flow.
    pub(super) fn contradictions(&self, earlier: &Self) -> Vec<Error> {
        let names = |scope: &Scope| -> HashSet<String> {
            scope.implies.iter().map(LitStr::value).collect()
        };
        let contradicts = |scope: &&Scope| {
            earlier.declared.iter().any(|other| {
                other.name.value() == scope.name.value() && names(other) != names(scope)
            })
        };
        let contradicting = self.declared.iter().filter(contradicts);
        let error = |scope: &Scope| {
            let sentence = format!(
                "scope `{}` implies other scopes in another flow; write the same `implies(…)` in both",
                scope.name.value()
            );
            error_at(scope.name.span(), sentence)
        };
        contradicting.map(error).collect()
    }

    /// Returns the scopes as a `&'static [Scope]`.
    pub(super) fn tokens(&self, krate: &Path) -> TokenStream {
        let scopes = self.declared.iter().map(|Scope { name, implies, description, .. }| {
            let implies = (!implies.is_empty()).then(|| quote!(.with_implied(&[#(#implies),*])));
            quote!(#krate::scheme::Scope::new(#name, #description) #implies)
        });
        quote!(&[#(#scopes),*])
    }

    /// Returns the associated constants that are declared with `as`.
    pub(super) fn constants(&self) -> TokenStream {
        let constants =
            self.declared.iter().filter_map(|Scope { name, constant, description, .. }| {
                let constant = constant.as_ref()?;
                Some(quote! {
                    #[doc = #description]
                    pub const #constant: &'static ::core::primitive::str = #name;
                })
            });
        constants.collect()
    }
}

impl Scope {
    /// Checks that the name is a [`scope-token`] and is not declared yet.
    ///
    /// [`scope-token`]: https://www.rfc-editor.org/rfc/rfc6749#section-3.3 "RFC 6749, 3.3"
    fn check(&self, declared: &mut HashSet<String>) -> Result<()> {
        let name = self.name.value();
        let is_allowed = |byte: u8| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~');
        let sentence = if name.is_empty() {
            "a scope must not be empty; write its name".to_owned()
        } else if !name.bytes().all(is_allowed) {
            format!(
                "`{}` is not a valid scope; use visible ASCII without spaces, `\"` or `\\` (RFC 6749, 3.3), and \
                 declare each scope separately",
                name.escape_debug()
            )
        } else if declared.contains(&name) {
            format!("scope `{name}` is declared twice; remove one")
        } else {
            declared.insert(name);
            return Ok(());
        };
        Err(error_at(self.name.span(), sentence))
    }
}

/// `name = description`, with `as CONSTANT` or `implies(…)` before the equals sign. Possibly
/// incomplete.
struct Entry {
    name: TokenStream,
    constant: Option<TokenStream>,
    implies: Option<Group>,
    description: Option<Expr>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_option = |input: ParseStream<'_>| input.peek(Token![as]) || is_implies(input);
        let name = up_to(input, is_option)?;
        let (mut constant, mut implies) = (None, None);
        while is_option(input) {
            let at = input.span();
            let is_repeated = if input.parse::<Option<Token![as]>>()?.is_some() {
                constant.replace(up_to(input, is_option)?).is_some()
            } else {
                input.parse::<Ident>()?;
                implies.replace(input.parse::<Group>()?).is_some()
            };
            if is_repeated {
                let sentence = "a scope has one `as` and one `implies(…)`; remove this one, or list its scopes in the first";
                return Err(syn::Error::new(at, sentence));
            }
        }
        let equals = input.parse::<Option<Token![=]>>()?;
        Ok(Self {
            name,
            constant,
            implies,
            description: equals.map(|_| input.parse()).transpose()?,
        })
    }
}

/// Returns `true` if `implies(…)` follows.
fn is_implies(input: ParseStream<'_>) -> bool {
    let fork = input.fork();
    fork.parse::<Ident>().is_ok_and(|name| name == "implies") && fork.peek(token::Paren)
}

/// Reads tokens up to `=`, `,`, or the end that `is_end` finds.
fn up_to(
    input: ParseStream<'_>,
    is_end: impl Fn(ParseStream<'_>) -> bool,
) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![=]) && !input.peek(Token![,]) && !is_end(input) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

impl Entry {
    /// Reads `"items" = "Read items."` or `"items" as ITEMS = "Read items."`.
    fn read(self) -> Result<Scope> {
        let expected = |at: &dyn ToTokens| {
            let sentence =
                format!("a scope is a string with a description; write `scopes({EXAMPLE})`");
            error_at(at.to_token_stream().span(), sentence)
        };
        let name = syn::parse2(self.name.clone()).ok();
        let Some(Text::Literal(name)) = name.as_ref().and_then(Text::from_expression) else {
            return Err(expected(&self.name));
        };
        let constant = self.constant.map(|constant| {
            let at = constant.span();
            syn::parse2(constant).map_err(|_| {
                let sentence = "expected the name of a constant after `as`; write `\"items\" as ITEMS = \"Read items.\"`";
                error_at(at, sentence)
            })
        });
        let Some(description) = self.description else {
            return Err(expected(&name));
        };
        let implies = self.implies.as_ref().map(hierarchy::read).transpose()?;
        Ok(Scope {
            constant: constant.transpose()?,
            implies: implies.unwrap_or_default(),
            description: Text::from_expression(&description)
                .ok_or_else(|| expected(&description))?,
            name,
        })
    }
}
