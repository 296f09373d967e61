//! The arguments of a dependency where it is named: `role(Role::Admin)`.

use darling::{Error, Result};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::Paren;
use syn::{Expr, ExprCall, MacroDelimiter, MetaList, Path, Token};

use super::text::text;
use crate::attribute::error_at;

/// The arguments of a dependency, which are constant expressions.
#[derive(Clone)]
pub(crate) struct Call {
    arguments: Punctuated<Expr, Token![,]>,
    parentheses: Paren,
}

impl Call {
    /// Reads the arguments in `role(Role::Admin)`.
    pub(super) fn read(list: &MetaList) -> Result<Self> {
        let arguments = match Punctuated::parse_terminated.parse2(list.tokens.clone()) {
            Err(_) if is_unfinished(&list.tokens) => {
                Punctuated::from_iter([Expr::Verbatim(list.tokens.clone())])
            }
            arguments => arguments?,
        };
        let parentheses = match list.delimiter {
            MacroDelimiter::Paren(parentheses) => parentheses,
            _ => Paren::default(),
        };
        Self::of(arguments, parentheses, &list.path)
    }

    /// Reads the arguments of a call, as in `layer = role(Role::Admin)`.
    pub(super) fn of_expression(call: &ExprCall) -> Result<Self> {
        Self::of(call.args.clone(), call.paren_token, &call.func)
    }

    /// A list without any arguments is a mistake for every dependency.
    fn of(
        arguments: Punctuated<Expr, Token![,]>,
        parentheses: Paren,
        at: &impl Spanned,
    ) -> Result<Self> {
        if arguments.is_empty() {
            let sentence = "a scheme or a dependency is named, not called; write its path without `()`, or its arguments in them";
            return Err(error_at(at.span(), sentence));
        }
        Ok(Self { arguments, parentheses })
    }

    pub(super) const fn arguments(&self) -> &Punctuated<Expr, Token![,]> {
        &self.arguments
    }

    /// Returns the error about an argument that is one of these parameters. Behind a dot or a path,
    /// or before parentheses, a word is the name of something else.
    pub(super) fn mistake(&self, parameters: &[&Ident]) -> Option<Error> {
        let used = used_as_value(self.arguments.to_token_stream(), parameters)?;
        let sentence = format!(
            "`{used}` is a parameter, and an argument is a constant; write a variant, a literal or a constant, or let the dependency \
             take the value itself"
        );
        Some(error_at(used.span(), sentence))
    }

    /// Returns the part of an edge that has the arguments. The compiler checks them against the
    /// parameters of the dependency, and evaluates them, where they are written.
    pub(super) fn with(&self, path: &Path, is_of_layer: bool, krate: &Path) -> TokenStream {
        let Self { arguments, parentheses } = self;
        let written = arguments.iter().map(|argument| text(argument.to_token_stream()));
        // In angle brackets, a path that is not a type is the same error as everywhere else.
        let function = format_ident!("arguments");
        let mut call = quote_spanned!(path.span()=> <#path>::#function::<>);
        parentheses.surround(&mut call, |inside| arguments.to_tokens(inside));
        let new = match is_of_layer {
            true => quote!(comparable),
            false => quote!(new),
        };
        // The import in the span of the macro, so that the compiler does not call it unused.
        let constant = quote!(const {
            use #krate::bounds::NoArguments as _;
            #call
        });
        // A `let` and no cast, which the lint `trivial_casts` would find in the user's code.
        let make = quote_spanned!(path.span()=> &const {
            let make: fn() -> _ = || #constant;
            make
        });
        quote!(.with(&#krate::__rt::Arguments::#new(#make, &[#(#written),*])))
    }
}

/// Returns `true` if an argument is the beginning of a path. The compiler reports it where it is
/// emitted, and there an editor finds the path that it has to complete.
fn is_unfinished(arguments: &TokenStream) -> bool {
    let arguments = arguments.to_string();
    arguments.split(',').any(|argument| argument.trim_end().ends_with("::"))
}

/// Returns the first of these names that is used as a value.
fn used_as_value(tokens: TokenStream, names: &[&Ident]) -> Option<Ident> {
    let mut tokens = tokens.into_iter().peekable();
    let mut is_path = false;
    while let Some(token) = tokens.next() {
        let goes_on = match tokens.peek() {
            Some(TokenTree::Punct(next)) => matches!(next.as_char(), ':' | '!'),
            Some(TokenTree::Group(next)) => next.delimiter() == Delimiter::Parenthesis,
            _ => false,
        };
        let used = match &token {
            TokenTree::Ident(word) => {
                let is_value = !is_path && !goes_on && names.contains(&word);
                is_value.then(|| word.clone())
            }
            TokenTree::Group(group) => used_as_value(group.stream(), names),
            TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        };
        if used.is_some() {
            return used;
        }
        is_path = matches!(&token, TokenTree::Punct(punct) if matches!(punct.as_char(), ':' | '.'));
    }
    None
}
