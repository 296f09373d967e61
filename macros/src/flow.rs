//! A flow that a scheme declares, with the URLs that OpenAPI requires of it.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Ident, Path};

use crate::errors::Errors;
use crate::params::Params;
use crate::scopes::Scopes;
use crate::text::{Rule, Text};

#[derive(Clone, Copy)]
pub(crate) enum FlowKind {
    Implicit,
    Password,
    ClientCredentials,
    AuthorizationCode,
}

impl FlowKind {
    pub(crate) const ALL: [Self; 4] = [
        Self::Implicit,
        Self::Password,
        Self::ClientCredentials,
        Self::AuthorizationCode,
    ];

    /// The flow's name in an attribute.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Implicit => "implicit",
            Self::Password => "password",
            Self::ClientCredentials => "client_credentials",
            Self::AuthorizationCode => "authorization_code",
        }
    }

    /// The URLs that the flow requires, as OpenAPI's OAuth Flow Object has it, each with an example.
    const fn required_urls(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Implicit => &[("authorization_url", "authorize")],
            Self::Password | Self::ClientCredentials => &[("token_url", "token")],
            Self::AuthorizationCode => {
                &[("authorization_url", "authorize"), ("token_url", "token")]
            }
        }
    }

    /// The least that has to be written for the flow.
    pub(crate) fn required_parameters(self) -> String {
        let parameters = self
            .required_urls()
            .iter()
            .map(|(name, url)| format!("{name} = \"{url}\""));
        parameters.collect::<Vec<_>>().join(", ")
    }
}

/// A flow: its URLs by parameter name, and its scopes.
pub(crate) struct Flow {
    kind: FlowKind,
    urls: Vec<(Ident, Text)>,
    scopes: Scopes,
}

impl Flow {
    /// Takes the flow's parameters. A missing URL is reported at `place`, with `example` to write there.
    pub(crate) fn take(
        kind: FlowKind,
        params: &mut Params<'_>,
        place: Span,
        example: &str,
    ) -> Self {
        let mut urls = Vec::new();
        for (name, _) in kind.required_urls() {
            params.require(name, place, example);
        }
        for name in kind
            .required_urls()
            .iter()
            .map(|(name, _)| *name)
            .chain(["refresh_url"])
        {
            urls.extend(params.text(name).map(|url| (format_ident!("{name}"), url)));
        }
        Self {
            kind,
            urls,
            scopes: Scopes::take(params),
        }
    }

    /// Checks the URLs; returns the checks of those that are constants, read from the flows of `config`.
    pub(crate) fn check(
        &self,
        config: &TokenStream,
        krate: &Path,
        errors: &mut Errors,
    ) -> Vec<TokenStream> {
        let kind = format_ident!("{}", self.kind.name());
        let check = |(name, url): &(Ident, Text)| {
            let value = quote!(#krate::__rt::flow(#config.flows.#kind).#name);
            Rule::Url.check(url, &value, krate, errors)
        };
        self.urls.iter().filter_map(check).collect()
    }

    /// The constants that the flow's scopes ask for, as associated items.
    pub(crate) fn constants(&self) -> TokenStream {
        self.scopes.constants()
    }

    /// The call that adds the flow to a `Flows`.
    pub(crate) fn tokens(&self, krate: &Path) -> TokenStream {
        let kind = format_ident!("{}", self.kind.name());
        let urls = self.urls.iter().map(|(name, url)| quote!(.#name(#url)));
        let scopes = self.scopes.tokens(krate);
        quote!(.#kind(#krate::Flow::EMPTY #(#urls)* .scopes(#scopes)))
    }
}
