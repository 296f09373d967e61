//! The return type of a dependency: a value, a `Result`, or a type whose name ends in `Result`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericArgument, Path, PathArguments, Type};

use crate::emit::checks::item_of;
use crate::types::{first_argument, is_named, last_segment};

/// The return type of a function. A macro sees only its name, so the name decides its kind.
pub(crate) struct Outcome {
    krate: Path,
    returned: Type,
    kind: OutcomeKind,
}

enum OutcomeKind {
    /// A value; the function cannot fail.
    Value,
    /// A `Result` with both type arguments.
    Result { value: Box<Type>, error: Box<Type> },
    /// An alias of `Result`, such as `io::Result<T>`.
    Alias,
}

impl Outcome {
    pub(crate) fn of(returned: Type, krate: &Path) -> Self {
        let kind = match last_segment(&returned) {
            Some(name) if name.to_string().ends_with("Result") => {
                arguments(&returned).unwrap_or(OutcomeKind::Alias)
            }
            _ => OutcomeKind::Value,
        };
        Self { krate: krate.clone(), returned, kind }
    }

    pub(crate) fn returned(&self) -> &Type {
        &self.returned
    }

    pub(crate) fn can_fail(&self) -> bool {
        !matches!(self.kind, OutcomeKind::Value)
    }

    /// Returns the type of the value that the function yields if it succeeds.
    pub(crate) fn value(&self) -> TokenStream {
        match &self.kind {
            OutcomeKind::Value => self.returned.to_token_stream(),
            OutcomeKind::Result { value, .. } => value.to_token_stream(),
            OutcomeKind::Alias => self.fallible("Output"),
        }
    }

    /// Returns the type of the value, if the return type names it. An alias of `Result` is taken to
    /// name it as `Result` does, in its first argument.
    pub(crate) fn value_as_written(&self) -> Option<&Type> {
        match &self.kind {
            OutcomeKind::Value => Some(&self.returned),
            OutcomeKind::Result { value, .. } => Some(value),
            OutcomeKind::Alias => first_argument(&self.returned),
        }
    }

    /// Returns `true` if the type of the value is behind an alias of `Result`.
    pub(crate) fn is_alias(&self) -> bool {
        matches!(self.kind, OutcomeKind::Alias)
    }

    /// Returns the type of the error, if the function can fail.
    pub(crate) fn error(&self) -> Option<TokenStream> {
        match &self.kind {
            OutcomeKind::Value => None,
            OutcomeKind::Result { error, .. } => Some(error.to_token_stream()),
            OutcomeKind::Alias => Some(self.fallible("Error")),
        }
    }

    /// Returns the type of the error, if it may be no response. That of doorward is one.
    pub(crate) fn doubtful_error(&self) -> Option<TokenStream> {
        let of_doorward = |error| ["BearerError", "Rejection"].iter().any(|it| is_named(error, it));
        match self.error_as_written().is_some_and(of_doorward) {
            true => None,
            false => self.error(),
        }
    }

    /// Returns the type of the error, if the return type names it.
    pub(crate) fn error_as_written(&self) -> Option<&Type> {
        match &self.kind {
            OutcomeKind::Result { error, .. } => Some(error),
            OutcomeKind::Value | OutcomeKind::Alias => None,
        }
    }

    /// Converts the value of a call into a `Result`.
    pub(crate) fn result(&self, call: &TokenStream) -> TokenStream {
        match &self.kind {
            OutcomeKind::Alias => {
                let into_result = self.fallible("into_result");
                quote_spanned!(self.returned.span()=> #into_result(#call))
            }
            _ => call.clone(),
        }
    }

    /// Returns an item of what an alias of `Result` has.
    fn fallible(&self, name: &str) -> TokenStream {
        let Self { krate, returned, .. } = self;
        item_of(returned, &quote!(#krate::bounds::Fallible), name, returned.span())
    }
}

/// Returns the types in a `Result<T, E>`.
fn arguments(ty: &Type) -> Option<OutcomeKind> {
    let path = match ty {
        Type::Path(path) => path,
        Type::Group(group) => return arguments(&group.elem),
        Type::Paren(paren) => return arguments(&paren.elem),
        _ => return None,
    };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(list) = &last.arguments else {
        return None;
    };
    let mut types = list.args.iter();
    match (last.ident == "Result", types.next()?, types.next()?, types.next()) {
        (true, GenericArgument::Type(value), GenericArgument::Type(error), None) => {
            Some(OutcomeKind::Result {
                value: Box::new(value.clone()),
                error: Box::new(error.clone()),
            })
        }
        _ => None,
    }
}
