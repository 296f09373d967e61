//! A function as it is written, taken apart as far as the attributes need: the patterns of its parameters and its body stay
//! tokens.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, LitStr, ReturnType, Token, Type, Visibility, parenthesized};

/// A free function, or a method.
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
    /// What it takes, the receiver of a method included.
    pub(crate) inputs: Vec<Input>,
    pub(crate) body: Group,
}

/// The head of a function, without its parameters.
pub(crate) struct Signature {
    /// What stands before the name, such as `async fn`.
    keywords: TokenStream,
    pub(crate) is_async: bool,
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    pub(crate) output: ReturnType,
}

/// What a function takes.
pub(crate) enum Input {
    Argument(Box<Argument>),
    Receiver(TokenStream),
}

/// A parameter as it is written.
#[derive(Clone)]
pub(crate) struct Argument {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) pattern: TokenStream,
    pub(crate) ty: Type,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (attrs, vis) = (input.call(Attribute::parse_outer)?, input.parse()?);
        let (mut keywords, mut is_async) = (TokenStream::new(), false);
        while input.peek(Token![const])
            || input.peek(Token![async])
            || input.peek(Token![unsafe])
            || input.peek(Token![extern])
            || input.peek(LitStr)
        {
            is_async |= input.peek(Token![async]);
            keywords.extend([input.parse::<TokenTree>()?]);
        }
        input.parse::<Token![fn]>()?.to_tokens(&mut keywords);
        let (ident, mut generics) = (input.parse()?, input.parse::<Generics>()?);
        let inputs;
        parenthesized!(inputs in input);
        let inputs = Punctuated::<Input, Token![,]>::parse_terminated(&inputs)?;
        let output = input.parse()?;
        generics.where_clause = input.parse()?;
        Ok(Self {
            attrs,
            vis,
            signature: Signature {
                keywords,
                is_async,
                ident,
                generics,
                output,
            },
            inputs: inputs.into_iter().collect(),
            body: input.parse()?,
        })
    }
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let (mut pattern, mut is_receiver) = (TokenStream::new(), false);
        while !input.is_empty() && !input.peek(Token![,]) {
            if input.peek(Token![::]) {
                input.parse::<Token![::]>()?.to_tokens(&mut pattern);
            } else if input.peek(Token![:]) {
                break;
            } else {
                is_receiver |= input.peek(Token![self]);
                pattern.extend([input.parse::<TokenTree>()?]);
            }
        }
        if is_receiver && !input.peek(Token![:]) {
            return Ok(Self::Receiver(pattern));
        }
        input.parse::<Token![:]>()?;
        let ty = input.parse()?;
        Ok(if is_receiver {
            Self::Receiver(pattern)
        } else {
            Self::Argument(Box::new(Argument { attrs, pattern, ty }))
        })
    }
}

impl Signature {
    /// The function of this head.
    pub(crate) fn function(&self, arguments: &[Argument], body: &TokenStream) -> TokenStream {
        let Self {
            keywords,
            ident,
            generics,
            output,
            ..
        } = self;
        let where_clause = &generics.where_clause;
        quote!(#keywords #ident #generics (#(#arguments),*) #output #where_clause #body)
    }
}

impl Argument {
    /// The name that the pattern binds, where it is one or has one in parentheses, as in `Path(id)`.
    pub(crate) fn name(&self) -> Option<Ident> {
        name_in(self.pattern.clone())
    }

    /// Tells whether the pattern is a name, which may be `mut`.
    pub(crate) fn is_named(&self) -> bool {
        let mut tokens = self.pattern.clone().into_iter();
        let mut token = tokens.next();
        if matches!(&token, Some(TokenTree::Ident(ident)) if ident == "mut") {
            token = tokens.next();
        }
        matches!(token, Some(TokenTree::Ident(ident)) if ident != "_" && ident != "ref")
            && tokens.next().is_none()
    }
}

impl ToTokens for Argument {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, pattern, ty } = self;
        tokens.extend(quote!(#(#attrs)* #pattern: #ty));
    }
}

/// The name that stands alone or before `@`, or the first one in the parentheses behind a path.
fn name_in(pattern: TokenStream) -> Option<Ident> {
    let mut name = None;
    for token in pattern {
        match token {
            TokenTree::Ident(ident) => name = Some(ident),
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Parenthesis && name.is_some() =>
            {
                return name_in(group.stream());
            }
            TokenTree::Punct(punct) if punct.as_char() == ':' => {}
            TokenTree::Punct(punct) if matches!(punct.as_char(), '@' | ',') => break,
            _ => return None,
        }
    }
    name.filter(|name| !["_", "mut", "ref"].iter().any(|keyword| name == keyword))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argument(pattern: &str) -> Argument {
        Argument {
            attrs: Vec::new(),
            pattern: pattern.parse().expect("tokens"),
            ty: syn::parse_quote!(User),
        }
    }

    #[test]
    fn a_pattern_may_be_a_name_or_hold_one() {
        for (pattern, name, is_named) in [
            ("user", Some("user"), true),
            ("mut user", Some("user"), true),
            ("r#type", Some("r#type"), true),
            ("ref user", Some("user"), false),
            ("user @ User { .. }", Some("user"), false),
            ("Path(id)", Some("id"), false),
            ("axum::extract::Path(id)", Some("id"), false),
            ("Pair(first, second)", Some("first"), false),
            ("Path((first, second))", None, false),
            ("(first, second)", None, false),
            ("User { name, .. }", None, false),
            ("first | second", None, false),
            ("&user", None, false),
            ("_", None, false),
            ("Path(_)", None, false),
        ] {
            let argument = argument(pattern);
            let found = argument.name().map(|name| name.to_string());
            assert_eq!(found.as_deref(), name, "{pattern}");
            assert_eq!(argument.is_named(), is_named, "{pattern}");
        }
    }
}
