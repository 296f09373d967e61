//! A function as written. Its body is kept as tokens, because the macros do not read it.

use proc_macro2::{Group, Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Pat, PatType, Receiver, Signature, Type, Visibility};

/// A free function or a method.
pub(crate) struct Item {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) signature: Signature,
    pub(crate) body: Group,
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            signature: input.parse()?,
            body: input.parse()?,
        })
    }
}

/// A parameter, either written by the user or generated.
#[derive(Clone)]
pub(crate) struct WrittenParameter {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) pattern: TokenStream,
    pub(crate) ty: Type,
    /// The name that the pattern binds.
    name: Option<Ident>,
    is_name: bool,
}

impl WrittenParameter {
    /// Creates a parameter of a generated function.
    pub(crate) fn new(attrs: Vec<Attribute>, name: Ident, ty: Type) -> Self {
        Self { attrs, pattern: name.to_token_stream(), ty, name: Some(name), is_name: true }
    }

    /// Returns the name that the pattern binds, alone or in parentheses, as in `Path(id)`.
    pub(crate) fn name(&self) -> Option<&Ident> {
        self.name.as_ref()
    }

    /// Returns `true` if the pattern is a name, with or without `mut`.
    pub(crate) fn is_name(&self) -> bool {
        self.is_name
    }
}

impl From<PatType> for WrittenParameter {
    fn from(PatType { attrs, pat, ty, .. }: PatType) -> Self {
        let is_name =
            matches!(&*pat, Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none());
        Self {
            attrs,
            name: name_in(&pat).cloned(),
            is_name,
            pattern: pat.into_token_stream(),
            ty: *ty,
        }
    }
}

impl ToTokens for WrittenParameter {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, pattern, ty, .. } = self;
        tokens.extend(quote!(#(#attrs)* #pattern: #ty));
    }
}

/// Returns the name that a pattern binds. In a tuple struct pattern, only the first field counts.
fn name_in(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(name) => Some(&name.ident),
        Pat::TupleStruct(tuple) => name_in(tuple.elems.first()?),
        Pat::Paren(paren) => name_in(&paren.pat),
        _ => None,
    }
}

/// Returns a function with this signature, but with other parameters behind its receiver.
pub(super) fn function(
    signature: &Signature,
    parameters: &[WrittenParameter],
    body: &TokenStream,
) -> TokenStream {
    let Signature { constness, asyncness, safety, abi, fn_token, ident, generics, output, .. } =
        signature;
    let where_clause = &generics.where_clause;
    let receiver = signature.receiver().map(|receiver| quote!(#receiver,));
    quote! {
        #constness #asyncness #safety #abi #fn_token #ident #generics (#receiver #(#parameters),*) #output #where_clause #body
    }
}

/// Returns the parameters of a signature, or the receiver of a method as the error.
pub(super) fn parameters(signature: &Signature) -> Result<Vec<WrittenParameter>, &Receiver> {
    let parameters = signature.inputs.iter().map(|input| match input {
        FnArg::Typed(parameter) => Ok(parameter.clone().into()),
        FnArg::Receiver(receiver) => Err(receiver),
    });
    parameters.collect()
}

/// Returns the parameters of a method.
pub(super) fn without_receiver(
    signature: &Signature,
) -> impl Iterator<Item = WrittenParameter> + '_ {
    signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(parameter) => Some(parameter.clone().into()),
        FnArg::Receiver(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(pattern: &str) -> WrittenParameter {
        let item = format!("fn f({pattern}: User) {{}}");
        let item: Item = syn::parse_str(&item).expect("a function");
        parameters(&item.signature).expect("no receiver").remove(0)
    }

    #[test]
    fn a_pattern_may_be_a_name_or_contain_one() {
        for (pattern, name, is_name) in [
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
            ("&user", None, false),
            ("_", None, false),
            ("Path(_)", None, false),
        ] {
            let parameter = parameter(pattern);
            let found = parameter.name().map(ToString::to_string);
            assert_eq!(found.as_deref(), name, "{pattern}");
            assert_eq!(parameter.is_name(), is_name, "{pattern}");
        }
    }
}
