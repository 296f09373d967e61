//! The scopes that a flow declares: `scopes("me" = "Read information about the current user.")`.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Path, Token};

use crate::params::{Params, ungrouped};
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
        let entries = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list);
        let entries = params.errors.handle(entries).unwrap_or_default();
        let mut declared = HashSet::new();
        let scopes = entries
            .iter()
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
fn declare(entry: &Expr, declared: &mut HashSet<String>) -> syn::Result<Scope> {
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

/// Reads `"items" = "Read items."` or `"items" as ITEMS = "Read items."`.
fn read(entry: &Expr) -> syn::Result<Scope> {
    let expected = |at: &dyn ToTokens| {
        let sentence =
            format!("a scope is a string with its description; write `scopes({EXAMPLE})`");
        Error::new(at.to_token_stream().span(), sentence)
    };
    let Expr::Assign(pair) = ungrouped(entry) else {
        return Err(expected(entry));
    };
    let (name, constant) = match ungrouped(&pair.left) {
        Expr::Cast(cast) => (ungrouped(&cast.expr), Some(&cast.ty)),
        name => (name, None),
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(name),
        ..
    }) = name
    else {
        return Err(expected(&pair.left));
    };
    let constant = match constant {
        Some(ty) => Some(syn::parse2(ty.to_token_stream()).map_err(|_| {
            let sentence = "the name of a constant stands after `as`; write `\"items\" as ITEMS = \"Read items.\"`";
            Error::new(ty.span(), sentence)
        })?),
        None => None,
    };
    let description = Text::from_expr(&pair.right).ok_or_else(|| expected(&pair.right))?;
    Ok(Scope {
        name: name.clone(),
        constant,
        description,
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
