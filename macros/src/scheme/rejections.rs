//! The responses of a scheme to the requests that it refuses: one for all of them, or one for each
//! reason.

use darling::{FromMeta, Result};
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Meta, Path};

use crate::attribute::value::read;
use crate::attribute::{Constant, error_at};
use crate::emit::checks::check;

/// `rejection = CONSTANT`, or `rejection(missing = CONSTANT, …)`
pub(super) enum Rejections {
    All(Box<Constant>),
    ByReason(Box<ByReason>),
}

#[derive(Default, FromMeta)]
#[darling(default)]
pub(super) struct ByReason {
    missing: Option<Constant>,
    repeated: Option<Constant>,
    malformed: Option<Constant>,
    cross_site: Option<Constant>,
}

impl FromMeta for Rejections {
    fn from_meta(meta: &Meta) -> Result<Self> {
        match meta {
            Meta::List(list) if list.tokens.is_empty() => Err(error_at(
                list.path.span(),
                "`rejection` names no reason; write `rejection(missing = …, repeated = …, malformed = …)`",
            )),
            Meta::List(_) => FromMeta::from_meta(meta).map(Self::ByReason),
            _ => read(meta).map(|response| Self::All(Box::new(response))),
        }
    }
}

impl ByReason {
    /// Returns the reasons for which there is a response.
    fn listed(&self, krate: &Path) -> Vec<(TokenStream, &Constant)> {
        let reasons = [
            (quote!(Missing), &self.missing),
            (quote!(Repeated), &self.repeated),
            (quote!(Malformed), &self.malformed),
            (quote!(CrossSite), &self.cross_site),
        ];
        reasons
            .into_iter()
            .filter_map(|(reason, response)| {
                let response = response.as_ref()?;
                Some((quote!(#krate::scheme::RejectionReason::#reason), response))
            })
            .collect()
    }
}

impl Rejections {
    /// Returns the call that sets the responses.
    pub(super) fn tokens(&self, krate: &Path) -> TokenStream {
        match self {
            Self::All(response) => {
                let Constant(response) = &**response;
                quote!(.with_rejection(#response))
            }
            Self::ByReason(reasons) => {
                let responses = reasons.listed(krate).into_iter();
                let responses =
                    responses.map(|(reason, Constant(response))| quote!((#reason, #response)));
                quote!(.with_rejections(&[#(#responses),*]))
            }
        }
    }

    /// Returns the check of each response, read back from the generated configuration.
    pub(super) fn checks(&self, config: &TokenStream, krate: &Path) -> TokenStream {
        match self {
            Self::All(response) => {
                let Constant(response) = &**response;
                let value = quote!(#config.rejection());
                check(krate, "check_rejection", &value, response.span())
            }
            Self::ByReason(reasons) => {
                let listed = reasons.listed(krate).into_iter();
                let checks = listed.map(|(reason, Constant(response))| {
                    let value = quote!(::core::option::Option::Some(#config.rejection_of(#reason)));
                    check(krate, "check_rejection", &value, response.span())
                });
                checks.collect()
            }
        }
    }
}
