//! `error = ApiError`: the refusals of a scheme are an error type of the service.

use darling::error::Accumulator;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Path, Type};

use crate::attribute::{Arguments, Flag, TypeName, error_at};
use crate::emit::checks::{is_error, result_of};

pub(crate) struct OwnError {
    ty: Type,
    has_challenge: bool,
}

impl OwnError {
    /// Reports `challenge` without an error type on a list, because a list has no challenge itself.
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

    /// Returns the impl that says whether the type answers for a scheme or an enum.
    pub(crate) fn fails(&self, of: &Ident, krate: &Path) -> TokenStream {
        let result = result_of(&self.ty);
        quote!(#krate::__fails!(#of, #result);)
    }

    /// Returns the arguments of the runtime's macros.
    pub(crate) fn arguments(&self, of: &Ident, krate: &Path) -> TokenStream {
        let (answer, has_challenge) = (self.answer(of, krate), self.has_challenge);
        quote!(#answer, #has_challenge)
    }

    /// Returns the type that answers.
    pub(crate) fn answer(&self, of: &Ident, krate: &Path) -> TokenStream {
        let ty = &self.ty;
        quote!(#krate::__rt::AnswerOf<#of, #ty>)
    }

    /// Returns the checks that the type is made from a refusal, and is a response.
    pub(crate) fn checks(&self, krate: &Path) -> TokenStream {
        let ty = &self.ty;
        let is_error = is_error(krate, ty);
        quote! {
            {
                const fn answers<E: #krate::scheme::FromRefusal>() {}
                answers::<#ty>();
            }
            #is_error
        }
    }

    pub(crate) fn span(&self) -> Span {
        self.ty.span()
    }
}
