//! The scopes that a flow declares: `scopes("me" = "Read information about the current user.")`.

use std::collections::HashSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, LitStr, Path, Token};

use crate::params::Params;
use crate::text::Text;

const EXAMPLE: &str = "\"items\" = \"Read items.\"";

/// The declared scopes, in the order of the attribute.
#[derive(Default)]
pub(crate) struct Scopes(Vec<Scope>);

struct Scope {
    name: LitStr,
    /// The name of a constant of the scheme, where one is asked for.
    constant: Option<Ident>,
    description: Text,
}

impl Scopes {
    pub(crate) fn take(params: &mut Params<'_>) -> Self {
        let Some((_, list)) = params.list("scopes", EXAMPLE) else {
            return Self::default();
        };
        let entries = Punctuated::<Entry, Token![,]>::parse_terminated.parse2(list);
        let entries = params.errors.handle(entries).unwrap_or_default();
        let mut declared = HashSet::new();
        let scopes = entries
            .into_iter()
            .filter_map(|entry| params.errors.handle(declare(entry, &mut declared)));
        Self(scopes.collect())
    }

    /// The scopes as a `&'static [Scope]`.
    pub(crate) fn tokens(&self, krate: &Path) -> TokenStream {
        let scopes = self.0.iter().map(
            |Scope {
                 name, description, ..
             }| quote!(#krate::Scope::new(#name, #description)),
        );
        quote!(&[#(#scopes),*])
    }

    /// The constants that are asked for, as associated items.
    pub(crate) fn constants(&self) -> TokenStream {
        let constants = self.0.iter().filter_map(
            |Scope {
                 name,
                 constant,
                 description,
             }| {
                let constant = constant.as_ref()?;
                Some(quote! {
                    #[doc = #description]
                    pub const #constant: &'static ::core::primitive::str = #name;
                })
            },
        );
        constants.collect()
    }
}

/// Reads a scope that is not among those `declared` so far.
fn declare(entry: Entry, declared: &mut HashSet<String>) -> syn::Result<Scope> {
    let scope = read(entry)?;
    check(&scope.name)?;
    let name = scope.name.value();
    let sentence = format!("scope `{name}` is declared twice; remove one");
    if declared.insert(name) {
        Ok(scope)
    } else {
        Err(Error::new(scope.name.span(), sentence))
    }
}

/// `name = description` or `name as CONSTANT = description`, or what stands in its place.
struct Entry {
    name: TokenStream,
    constant: Option<TokenStream>,
    description: Option<Expr>,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = up_to(input, |input| input.peek(Token![as]))?;
        let constant = input.parse::<Option<Token![as]>>()?;
        let constant = constant.map(|_| up_to(input, |_| false)).transpose()?;
        let equals = input.parse::<Option<Token![=]>>()?;
        Ok(Self {
            name,
            constant,
            description: equals.map(|_| input.parse()).transpose()?,
        })
    }
}

/// Reads up to an equals sign, a comma, or what `is_end` finds.
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

/// Reads `"items" = "Read items."` or `"items" as ITEMS = "Read items."`.
fn read(entry: Entry) -> syn::Result<Scope> {
    let expected = |at: &dyn ToTokens| {
        let sentence =
            format!("a scope is a string with its description; write `scopes({EXAMPLE})`");
        Error::new(at.to_token_stream().span(), sentence)
    };
    let name = syn::parse2(entry.name.clone()).ok();
    let Some(Text::Literal(name)) = name.as_ref().and_then(Text::from_expr) else {
        return Err(expected(&entry.name));
    };
    let constant = entry.constant.map(|constant| {
        let at = constant.span();
        syn::parse2(constant).map_err(|_| {
            let sentence = "the name of a constant stands after `as`; write `\"items\" as ITEMS = \"Read items.\"`";
            Error::new(at, sentence)
        })
    });
    let Some(description) = entry.description else {
        return Err(expected(&name));
    };
    Ok(Scope {
        constant: constant.transpose()?,
        description: Text::from_expr(&description).ok_or_else(|| expected(&description))?,
        name,
    })
}

/// `scope-token = 1*( %x21 / %x23-5B / %x5D-7E )` (RFC 6749, 3.3).
fn check(name: &LitStr) -> syn::Result<()> {
    let text = name.value();
    let sentence = if text.is_empty() {
        "a scope must not be empty; write its name".to_owned()
    } else if !text
        .bytes()
        .all(|byte| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~'))
    {
        format!(
            "`{}` is not a scope: those are visible ASCII without spaces, `\"` and `\\` (RFC 6749, 3.3); \
             declare each scope on its own",
            text.escape_debug()
        )
    } else {
        return Ok(());
    };
    Err(Error::new(name.span(), sentence))
}
