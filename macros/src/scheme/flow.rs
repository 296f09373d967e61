//! The flows that a scheme declares, each with the URLs that OpenAPI requires for it.

use darling::ast::NestedMeta;
use darling::error::Accumulator;
use darling::util::path_to_string;
use darling::{Error, FromMeta, Result};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Meta, Path};

use super::scopes::Scopes;
use crate::attribute::{Arguments, Url, duplicate, error_at, list, unknown};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum FlowKind {
    Implicit,
    Password,
    ClientCredentials,
    AuthorizationCode,
}

impl FlowKind {
    const ALL: [Self; 4] =
        [Self::Implicit, Self::Password, Self::ClientCredentials, Self::AuthorizationCode];

    /// Returns the flow's name in an attribute.
    const fn name(self) -> &'static str {
        match self {
            Self::Implicit => "implicit",
            Self::Password => "password",
            Self::ClientCredentials => "client_credentials",
            Self::AuthorizationCode => "authorization_code",
        }
    }

    /// Returns the URLs that OpenAPI's OAuth Flow Object requires, each with an example.
    const fn required_urls(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Implicit => &[("authorization_url", "authorize")],
            Self::Password | Self::ClientCredentials => &[("token_url", "token")],
            Self::AuthorizationCode => {
                &[("authorization_url", "authorize"), ("token_url", "token")]
            }
        }
    }

    /// Returns the required arguments with example values.
    fn required_arguments(self) -> String {
        let arguments =
            self.required_urls().iter().map(|(name, url)| format!("{name} = \"{url}\""));
        arguments.collect::<Vec<_>>().join(", ")
    }

    /// Reports the URLs that are missing from `owner`, an attribute `#[name(…)]` or a flow
    /// `name(…)`.
    pub(crate) fn require(
        self,
        arguments: &Arguments,
        at: Span,
        owner: &str,
        errors: &mut Accumulator,
    ) {
        let example = owner.replace('…', &self.required_arguments());
        for (name, _) in self.required_urls() {
            arguments.require(name, at, &example, errors);
        }
    }
}

/// The arguments of a flow. Each implementation takes different URLs.
pub(crate) trait FlowArguments: FromMeta + Default {
    fn into_flow(self, kind: FlowKind) -> Flow;
}

macro_rules! flow_arguments {
    ($($(#[$doc:meta])* $name:ident { $($url:ident),* })*) => {$(
        $(#[$doc])*
        #[derive(Default, FromMeta)]
        #[darling(default)]
        pub(crate) struct $name {
            $($url: Option<Url>,)*
            scopes: Scopes,
        }

        impl FlowArguments for $name {
            fn into_flow(self, kind: FlowKind) -> Flow {
                let written = [$((stringify!($url), self.$url)),*];
                let urls = written.into_iter().filter_map(|(name, url)| Some((name, url?)));
                Flow { kind, urls: urls.collect(), scopes: self.scopes, mistakes: Vec::new() }
            }
        }
    )*};
}

flow_arguments! {
    /// The arguments of a flow that uses only the authorization endpoint.
    AuthorizationFlow { authorization_url, refresh_url }
    /// The arguments of a flow that uses only the token endpoint.
    TokenFlow { token_url, refresh_url }
    /// The arguments of a flow that uses both endpoints.
    CodeFlow { authorization_url, token_url, refresh_url }
}

/// A flow: its URLs by name, and its scopes.
pub(crate) struct Flow {
    kind: FlowKind,
    urls: Vec<(&'static str, Url)>,
    scopes: Scopes,
    mistakes: Vec<Error>,
}

impl Flow {
    /// Reads `kind(…)`.
    fn from_meta(kind: FlowKind, meta: &Meta) -> Result<Self> {
        let list = list(meta, &kind.required_arguments())?.clone();
        let mut errors = Error::accumulator();
        let arguments = Arguments::split(list, &mut errors);
        kind.require(&arguments, meta.path().span(), &format!("{}(…)", kind.name()), &mut errors);
        let mut flow = match kind {
            FlowKind::Implicit => {
                arguments.read::<AuthorizationFlow>(&mut errors).arguments.into_flow(kind)
            }
            FlowKind::Password | FlowKind::ClientCredentials => {
                arguments.read::<TokenFlow>(&mut errors).arguments.into_flow(kind)
            }
            FlowKind::AuthorizationCode => {
                arguments.read::<CodeFlow>(&mut errors).arguments.into_flow(kind)
            }
        };
        flow.mistakes = errors.into_inner();
        Ok(flow)
    }

    /// Returns `true` if the flow declares scopes.
    pub(crate) fn has_scopes(&self) -> bool {
        !self.scopes.is_empty()
    }

    /// Takes the mistakes in the flow and in its scopes.
    pub(super) fn take_mistakes(&mut self) -> Vec<Error> {
        let mut mistakes = core::mem::take(&mut self.mistakes);
        mistakes.extend(self.scopes.take_mistakes());
        mistakes
    }

    /// Returns the checks of URLs that are constants, read back from `config`.
    pub(super) fn constant_checks(&self, config: &TokenStream, krate: &Path) -> Vec<TokenStream> {
        let kind = format_ident!("{}", self.kind.name());
        let check = |(name, url): &(&str, Url)| {
            let name = format_ident!("{name}");
            url.constant_check(&quote!(#krate::__rt::flow(#config.flows().#kind()).#name()), krate)
        };
        self.urls.iter().filter_map(check).collect()
    }

    /// Returns the associated constants that the flow's scopes declare with `as`.
    pub(super) fn constants(&self) -> TokenStream {
        self.scopes.constants()
    }

    /// Returns the method call that adds the flow to a `Flows`.
    /// Shared scopes are those of a flow that declares none.
    pub(super) fn tokens(&self, shared: &Scopes, krate: &Path) -> TokenStream {
        let set = format_ident!("with_{}", self.kind.name());
        let urls = self.urls.iter().map(|(name, Url(url))| {
            let (set, url) = (format_ident!("with_{name}"), url.tokens(krate));
            quote!(.#set(#url))
        });
        let own = &self.scopes;
        let scopes = if own.is_empty() { shared } else { own }.tokens(krate);
        quote!(.#set(#krate::scheme::Flow::new() #(#urls)* .with_scopes(#scopes)))
    }
}

/// `flows(password(token_url = "token"))`
#[derive(Default)]
pub(crate) struct Flows {
    /// The span of the argument's name, if it is written.
    pub(crate) at: Option<Span>,
    pub(crate) flows: Vec<Flow>,
    pub(crate) mistakes: Vec<Error>,
}

impl FromMeta for Flows {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let list = list(meta, r#"password(token_url = "token")"#)?.clone();
        let at = meta.path().span();
        let mut errors = Error::accumulator();
        let mut flows: Vec<Flow> = Vec::new();
        for item in Arguments::split(list, &mut errors).into_items() {
            let NestedMeta::Meta(meta) = &item else {
                let sentence = "a flow has a name; write `password(token_url = \"token\")`";
                errors.push(error_at(item.span(), sentence));
                continue;
            };
            let name = path_to_string(meta.path());
            let kind = FlowKind::ALL.into_iter().find(|kind| kind.name() == name);
            let flow = match kind {
                None => {
                    let names = FlowKind::ALL.map(FlowKind::name);
                    Err(unknown("flow", &name, &names, meta.path()))
                }
                Some(kind) if flows.iter().any(|flow| flow.kind == kind) => {
                    Err(duplicate(&name, meta.path()))
                }
                Some(kind) => Flow::from_meta(kind, meta),
            };
            if let Some(flow) = errors.handle(flow) {
                for earlier in &flows {
                    for error in flow.scopes.contradictions(&earlier.scopes) {
                        errors.push(error);
                    }
                }
                flows.push(flow);
            }
        }
        Ok(Self { at: Some(at), flows, mistakes: errors.into_inner() })
    }
}
