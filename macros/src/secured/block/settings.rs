//! What `#[secured]` above a block takes beside a guard: `list = granted`, and `security_schemes`.

use darling::error::Accumulator;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprPath};

use crate::attribute::error_at;

#[derive(Default)]
pub(super) struct Settings {
    /// The tool routers whose tables say who may see a tool, and the place of the setting.
    pub(super) list: Option<(Vec<Ident>, Span)>,
    /// `true` if tools say in `_meta` what they require.
    pub(super) describes: bool,
    /// `true` if public tools say there that they require nothing.
    pub(super) describes_public: bool,
}

impl Settings {
    /// Takes the settings out of the arguments.
    pub(super) fn take(&mut self, args: TokenStream, errors: &mut Accumulator) -> TokenStream {
        let mut rest = TokenStream::new();
        let mut argument = Vec::new();
        let mut end = |argument: &mut Vec<TokenTree>, comma: Option<TokenTree>| {
            let tokens = Vec::from_iter(argument.drain(..));
            if !self.read(&tokens, errors) {
                rest.extend(tokens.into_iter().chain(comma));
            }
        };
        for token in args {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ',' => {
                    end(&mut argument, Some(punct.into()));
                }
                token => argument.push(token),
            }
        }
        end(&mut argument, None);
        rest
    }

    /// Reads an argument. Returns `false` for one that is none of the settings.
    fn read(&mut self, argument: &[TokenTree], errors: &mut Accumulator) -> bool {
        match argument {
            [TokenTree::Ident(name), TokenTree::Punct(_), value @ ..] if name == "list" => {
                let value: TokenStream = value.iter().cloned().collect();
                match routers(&value) {
                    Some(routers) => self.list = Some((routers, name.span())),
                    None => errors.push(error_at(
                        value.span(),
                        "`list` is `granted`; write `list = granted`, or `list = granted(tool_router, other_router)` for several routers",
                    )),
                }
                true
            }
            [TokenTree::Ident(name)] if name == "security_schemes" => {
                self.describes = true;
                true
            }
            [TokenTree::Ident(name), TokenTree::Group(inside)] if name == "security_schemes" => {
                self.describes = true;
                self.describes_public = inside.stream().to_string() == "noauth";
                if !self.describes_public {
                    let sentence = "public tools say `noauth`; write `security_schemes(noauth)`, or `security_schemes` to say nothing of them";
                    errors.push(error_at(inside.span(), sentence));
                }
                true
            }
            _ => false,
        }
    }
}

/// Returns the routers in `granted` or `granted(first, second)`.
fn routers(value: &TokenStream) -> Option<Vec<Ident>> {
    let ident = |expr: &Expr| match expr {
        Expr::Path(ExprPath { path, .. }) => path.get_ident().cloned(),
        _ => None,
    };
    let is_granted = |expr: &Expr| ident(expr).is_some_and(|word| word == "granted");
    match &syn::parse2::<Expr>(value.clone()).ok()? {
        expr if is_granted(expr) => Some(Vec::new()),
        Expr::Call(ExprCall { func, args, .. }) if is_granted(func) => {
            args.iter().map(ident).collect()
        }
        _ => None,
    }
}
