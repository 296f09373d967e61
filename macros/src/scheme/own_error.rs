//! `error = ApiError`: the refusals of a scheme are an error type of the service.

use darling::error::Accumulator;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Path, Type};

use crate::arguments::{Arguments, Flag, TypeName, error_at};
use crate::emit::checks::{is_error, respanned};

pub(crate) struct OwnError {
    ty: Type,
    has_challenge: bool,
}

impl OwnError {
    /// Reports `challenge` without an error type on a list, which has no challenge of its own.
    pub(crate) fn require(arguments: &Arguments, errors: &mut Accumulator) {
        if let Some(challenge) = arguments.value_of("challenge")
            && arguments.has_none_of(&["error"])
        {
            let sentence =
                "this is about the responses of an error type; name it before: `error = ApiError`";
            errors.push(error_at(challenge.span(), sentence));
        }
    }

    /// Reads `error = ApiError, challenge = false`.
    pub(crate) fn read(error: Option<TypeName>, challenge: Option<Flag>) -> Option<Self> {
        let TypeName(ty) = error?;
        Some(Self { ty, has_challenge: challenge.is_none_or(|Flag(challenge)| challenge) })
    }

    /// Returns the call that notes the error type in the configuration.
    pub(super) fn tokens(&self, krate: &Path) -> TokenStream {
        let Self { ty, has_challenge } = self;
        quote!(.__with_own_error(#krate::__rt::OwnErrorData::new(#has_challenge, #krate::__error_description!(#ty))))
    }

    /// Returns the arguments of the runtime's macros.
    pub(crate) fn arguments(&self) -> TokenStream {
        let Self { ty, has_challenge } = self;
        quote!(#ty, #has_challenge)
    }

    /// Returns the bound of a context that can answer with the type.
    pub(crate) fn bound(&self, krate: &Path) -> TokenStream {
        let ty = &self.ty;
        quote!(#krate::__rt::Reject<#ty>)
    }

    /// Returns the type that answers for the scheme.
    pub(crate) fn answering(&self, krate: &Path) -> TokenStream {
        let arguments = self.arguments();
        quote!(#krate::__rt::OwnError<#arguments>)
    }

    /// Returns the checks that the type is made from a refusal, and is a response.
    pub(crate) fn checks(&self, krate: &Path) -> TokenStream {
        let ty = &self.ty;
        let from_refusal = respanned(quote!(#krate::scheme::FromRefusal), ty.span());
        let is_error = is_error(krate, ty);
        quote! {
            {
                const fn answers<E: #from_refusal>() {}
                answers::<#ty>();
            }
            #is_error
        }
    }

    pub(crate) fn span(&self) -> Span {
        self.ty.span()
    }
}
