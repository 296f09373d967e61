//! The scopes that a scope implies: `"items:write" implies("items:read") = "Change items."`.

use darling::{Error, Result};
use proc_macro2::Group;
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, LitStr, Token};

use crate::attribute::{Text, error_at, nearest};

/// Reads the list in `implies(…)`.
pub(super) fn read(list: &Group) -> Result<Vec<LitStr>> {
    let (at, list) = (list.span(), list.stream());
    let expected = |at| {
        let sentence = "`implies` lists scopes; write `implies(\"items:read\")`";
        error_at(at, sentence)
    };
    let scopes =
        Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list).map_err(|_| expected(at))?;
    if scopes.is_empty() {
        return Err(expected(at));
    }
    scopes
        .iter()
        .map(|scope| match Text::from_expression(scope) {
            Some(Text::Literal(scope)) => Ok(scope),
            _ => Err(expected(scope.to_token_stream().span())),
        })
        .collect()
}

/// Checks that each implied scope is declared, and that no scope implies itself.
pub(super) fn check<'s>(declared: impl Iterator<Item = (&'s LitStr, &'s [LitStr])>) -> Vec<Error> {
    let declared: Vec<_> = declared.map(|(scope, implied)| (scope.value(), implied)).collect();
    let mut mistakes = Vec::new();
    for (scope, literals) in &declared {
        for literal in *literals {
            if let Some(sentence) = mistake(scope, &literal.value(), &declared) {
                mistakes.push(error_at(literal.span(), sentence));
            }
        }
    }
    mistakes
}

fn mistake(scope: &str, implied: &str, declared: &[(String, &[LitStr])]) -> Option<String> {
    if !declared.iter().any(|(name, _)| name == implied) {
        let names = declared.iter().map(|(name, _)| name.as_str());
        return Some(match nearest(implied, names) {
            Some(near) => {
                format!("implied scope `{implied}` is not declared; did you mean `{near}`?")
            }
            None => format!(
                "implied scope `{implied}` is not declared; declare it beside this one: `\"{implied}\" = \"…\"`"
            ),
        });
    }
    if implied == scope {
        return Some(format!("scope `{scope}` implies itself; remove it here"));
    }
    reaches(implied, scope, declared).then(|| {
        format!(
            "scope `{scope}` implies itself through `{implied}`; remove one of the two `implies`"
        )
    })
}

/// Returns `true` if a scope implies another one, through others at least.
fn reaches(from: &str, to: &str, declared: &[(String, &[LitStr])]) -> bool {
    let mut reached = vec![from.to_owned()];
    let mut next = 0;
    while let Some(scope) = reached.get(next).cloned() {
        let below = declared.iter().filter(|(name, _)| *name == scope);
        for implied in below.flat_map(|(_, implied)| *implied).map(LitStr::value) {
            if !reached.contains(&implied) {
                reached.push(implied);
            }
        }
        next += 1;
    }
    reached.iter().any(|scope| scope == to)
}
