//! The arguments about the protection space of a scheme, which complete its challenges: a realm,
//! and a resource with its authorization servers.

use darling::error::Accumulator;
use darling::{Error, FromMeta, Result};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, Meta, Path, Token};

use super::kind::Realm;
use super::{Credential, Own, OwnArguments};
use crate::attribute::{Arguments, TextOrSetting, Value, error_at, list, values};
use crate::emit::checks::{check, each};

/// The arguments of a scheme with `Bearer` challenges: those about what it protects, and its own.
#[derive(Default, FromMeta)]
#[darling(default)]
pub(crate) struct Protected<O: OwnArguments> {
    realm: Option<Realm>,
    resource: Option<Resource>,
    authorization_servers: Option<Issuers>,
    #[darling(flatten)]
    own: O,
}

impl<O: OwnArguments> OwnArguments for Protected<O> {
    const CREDENTIAL: Credential = O::CREDENTIAL;

    fn require(arguments: &Arguments, at: Span, errors: &mut Accumulator) {
        O::require(arguments, at, errors);
    }

    fn into_own(self) -> Own {
        let mut own = self.own.into_own();
        if let (Some(issuers), None) = (&self.authorization_servers, &self.resource) {
            let sentence = "the metadata of a resource lists its authorization servers; write \
                            `resource = \"https://api.example.com\"` beside them";
            own.mistakes.push(error_at(issuers.at, sentence));
        }
        own.space = Space {
            realm: self.realm,
            resource: self.resource,
            issuers: self.authorization_servers,
        };
        own
    }
}

/// The protection space of a scheme.
#[derive(Default)]
pub(crate) struct Space {
    realm: Option<Realm>,
    resource: Option<Resource>,
    issuers: Option<Issuers>,
}

impl Space {
    /// A space that has only a realm.
    pub(crate) fn of_realm(realm: Option<Realm>) -> Self {
        Self { realm, ..Self::default() }
    }

    pub(super) const fn has_realm(&self) -> bool {
        self.realm.is_some()
    }

    pub(super) const fn has_resource(&self) -> bool {
        self.resource.is_some()
    }

    /// Returns the checks of what is known at compile time, read back from `config`.
    pub(super) fn checks(&self, config: &TokenStream, krate: &Path) -> Vec<TokenStream> {
        let mut checks = Vec::new();
        if let Some(Realm(realm)) = &self.realm {
            checks.extend(realm.constant_check("check_realm", &quote!(#config.realm()), krate));
        }
        // The macro leaves the rules of these URLs to the runtime, for a literal too.
        if let Some(Resource(resource)) = &self.resource
            && let Some(url) = resource.text()
        {
            let value = quote!(#config.resource());
            checks.push(check(krate, "check_resource", &value, url.span()));
        }
        let issuers = self.issuers().enumerate().filter_map(|(number, issuer)| {
            let value = quote!(#config.authorization_servers(), #number);
            Some(check(krate, "check_issuer", &value, issuer.text()?.span()))
        });
        checks.push(each(issuers));
        checks
    }

    /// Returns the method calls that set the space of a `SchemeConfig`.
    pub(super) fn tokens(&self, krate: &Path) -> TokenStream {
        let realm = self.realm.iter().map(|Realm(realm)| {
            let realm = realm.tokens(krate);
            quote!(.with_realm(#realm))
        });
        let resource = self.resource.iter().map(|Resource(resource)| {
            let resource = resource.tokens(krate);
            quote!(.with_resource(#resource))
        });
        let issuers: Vec<_> = self.issuers().map(|issuer| issuer.tokens(krate)).collect();
        // In a block, because a reference to a `static` is not promoted.
        let servers = (!issuers.is_empty())
            .then(|| quote!(.with_authorization_servers(const { &[#(#issuers),*] })));
        quote!(#(#realm)* #(#resource)* #servers)
    }

    fn issuers(&self) -> impl Iterator<Item = &TextOrSetting> {
        self.issuers.iter().flat_map(|issuers| &issuers.issuers)
    }
}

/// `resource = "https://api.example.com"`, or a constant, or `&RESOURCE`
struct Resource(TextOrSetting);

values!(Resource);

impl Value for Resource {
    const KIND: &'static str = TextOrSetting::KIND;
    const EXAMPLE: &'static str = "\"https://api.example.com\"";

    fn read(expr: &Expr) -> Option<Self> {
        TextOrSetting::read(expr).map(Self)
    }
}

/// `authorization_servers("https://id.example.com")`
struct Issuers {
    issuers: Vec<TextOrSetting>,
    /// The span of the argument's name.
    at: Span,
}

impl FromMeta for Issuers {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let example = "\"https://id.example.com\"";
        let list = list(meta, example)?.clone();
        let written = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list)?;
        let at = meta.path().span();
        let mut errors = Error::accumulator();
        if written.is_empty() {
            let sentence = format!("name an issuer; write `authorization_servers({example})`");
            errors.push(error_at(at, sentence));
        }
        let issuers = written.iter().filter_map(|expr| {
            let issuer = TextOrSetting::read(expr);
            if issuer.is_none() {
                let sentence = format!(
                    "an issuer is a URL; write `authorization_servers({example})`, a constant, or a reference to a `Setting`"
                );
                errors.push(error_at(expr.span(), sentence));
            }
            issuer
        });
        let issuers = issuers.collect();
        errors.finish_with(Self { issuers, at })
    }
}
