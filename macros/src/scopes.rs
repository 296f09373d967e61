//! The scopes that a flow declares: `scopes("me" = "Read information about the current user.")`.

use std::collections::HashSet;

use darling::Error;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Path, Token};

use crate::params::{Params, ungrouped};
use crate::text::Text;

const EXAMPLE: &str = "\"items\" = \"Read items.\"";

/// The declared scopes, in the order of the attribute.
#[derive(Default)]
pub(crate) struct Scopes(Vec<(LitStr, Text)>);

impl Scopes {
    pub(crate) fn take(params: &mut Params<'_>) -> Self {
        let Some(list) = params.list("scopes", EXAMPLE) else {
            return Self::default();
        };
        let parsed = Punctuated::<Expr, Token![,]>::parse_terminated
            .parse2(list.tokens)
            .map_err(Error::from);
        let entries = params.errors.handle(parsed).unwrap_or_default();
        let mut declared = HashSet::new();
        let scopes = entries.iter().filter_map(|entry| {
            params.errors.handle_in(|| {
                let (name, description) = read(entry)?;
                check(&name)?;
                if declared.insert(name.value()) {
                    Ok((name, description))
                } else {
                    let sentence =
                        format!("scope `{}` is declared twice; remove one", name.value());
                    Err(Error::custom(sentence).with_span(&name))
                }
            })
        });
        Self(scopes.collect())
    }

    /// The scopes as a `&'static [Scope]`.
    pub(crate) fn tokens(&self, krate: &Path) -> TokenStream {
        let scopes = self
            .0
            .iter()
            .map(|(name, description)| quote!(#krate::Scope::new(#name, #description)));
        quote!(&[#(#scopes),*])
    }
}

fn read(entry: &Expr) -> darling::Result<(LitStr, Text)> {
    let expected = |at: &dyn ToTokens| {
        let sentence =
            format!("a scope is a string with its description; write `scopes({EXAMPLE})`");
        Error::custom(sentence).with_span(&at.to_token_stream())
    };
    match ungrouped(entry) {
        Expr::Assign(pair) => {
            let Expr::Lit(ExprLit {
                lit: Lit::Str(name),
                ..
            }) = ungrouped(&pair.left)
            else {
                return Err(expected(&pair.left));
            };
            let description = Text::from_expr(&pair.right).ok_or_else(|| expected(&pair.right))?;
            Ok((name.clone(), description))
        }
        entry => Err(expected(entry)),
    }
}

/// `scope-token = 1*( %x21 / %x23-5B / %x5D-7E )` (RFC 6749, 3.3).
fn check(name: &LitStr) -> darling::Result<()> {
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
    Err(Error::custom(sentence).with_span(name))
}
