//! The part that all scheme attributes share: the common arguments and the generated impl.

pub(crate) mod bearer;
mod description;
pub(crate) mod flow;
mod hierarchy;
pub(crate) mod kind;
pub(crate) mod one_flow;
pub(crate) mod own_error;
pub(crate) mod protected;
mod rejections;
pub(crate) mod scopes;
mod target;
pub(crate) mod verification;

use darling::error::Accumulator;
use darling::util::SpannedValue;
use darling::{Error, FromMeta};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Expr, ExprLit, Lit, Meta, Path};

use self::description::doc_comment;
use self::flow::Flow;
use self::kind::SchemeKind;
use self::own_error::OwnError;
use self::protected::Space;
use self::rejections::Rejections;
use self::scopes::Scopes;
use self::target::SchemeTarget;
use self::verification::Verification;
use crate::attribute::{
    Arguments, CratePath, Flag, Read, SchemeName, Text, TypeName, Value, error_at, values,
};
use crate::emit::checks;

/// The arguments that are specific to one scheme attribute.
pub(crate) trait OwnArguments: FromMeta + Default {
    const CREDENTIAL: Credential;

    /// Reports the arguments that are missing. `at` is the span of the struct's name.
    fn require(_arguments: &Arguments, _at: Span, _errors: &mut Accumulator) {}

    fn into_own(self) -> Own;
}

/// The part of a scheme's configuration that comes from its attribute's own arguments.
#[derive(Default)]
pub(crate) struct Own {
    pub(crate) kind: SchemeKind,
    pub(crate) flows: Vec<Flow>,
    /// The scopes of a scheme without flows, or of every flow that declares none.
    pub(crate) scopes: Scopes,
    pub(crate) strict: bool,
    pub(crate) websocket: bool,
    pub(crate) dpop: bool,
    pub(crate) charset: bool,
    pub(crate) space: Space,
    pub(crate) verification: Option<Verification>,
    pub(crate) mistakes: Vec<Error>,
}

/// The credential that a scheme yields.
#[derive(Clone, Copy)]
pub(crate) enum Credential {
    AuthorizationValue,
    BearerToken,
    ApiKey,
    BasicCredentials,
    HttpCredentials,
}

/// `auto_error`, `auto_error = false` or `auto_error = "reason"`: what a scheme does with a request
/// without a credential.
#[derive(Clone, Copy)]
enum AutoError {
    Refuses,
    YieldsNone,
    YieldsReason,
}

values!(AutoError);

impl Value for AutoError {
    const KIND: &'static str = "`true`, `false` or `\"reason\"`";
    const EXAMPLE: &'static str = Flag::EXAMPLE;

    fn read(expr: &Expr) -> Option<Self> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                (text.value() == "reason").then_some(Self::YieldsReason)
            }
            _ => Flag::read(expr).map(
                |Flag(refuses)| {
                    if refuses { Self::Refuses } else { Self::YieldsNone }
                },
            ),
        }
    }

    fn example(found: &Meta) -> &'static str {
        Flag::example(found)
    }

    fn of_name_alone() -> Option<Self> {
        Some(Self::Refuses)
    }
}

/// The arguments of a scheme attribute: the ones that every scheme takes, and its own.
#[derive(Default, FromMeta)]
#[darling(default)]
struct SchemeArguments<O: OwnArguments> {
    scheme_name: Option<SchemeName>,
    description: Option<Text>,
    auto_error: Option<SpannedValue<AutoError>>,
    rejection: Option<Rejections>,
    error: Option<TypeName>,
    challenge: Option<Flag>,
    #[darling(rename = "crate")]
    krate: CratePath,
    #[darling(flatten)]
    own: O,
}

/// Expands a scheme attribute to the unchanged item, the scheme that it declares, and every
/// mistake.
///
/// A scheme with a mistake is still a scheme, so code that uses it causes no further errors.
pub(crate) fn expand<O: OwnArguments>(
    attribute: &str,
    args: TokenStream,
    item: &TokenStream,
) -> TokenStream {
    let mut errors = Error::accumulator();
    let scheme = SchemeTarget::take(attribute, item, &mut errors).map(|target| {
        let arguments = Arguments::split(args, &mut errors);
        O::require(&arguments, target.ident.span(), &mut errors);
        // A misspelt argument counts as well.
        let verifies = !arguments.has_none_of(&["verified"]);
        let scheme = Scheme::new(
            target,
            verifies,
            arguments.read::<SchemeArguments<O>>(&mut errors),
            &mut errors,
        );
        let checks = checks::all(scheme.constant_checks());
        quote!(#scheme #checks)
    });
    let errors = errors.finish().err().map(Error::write_errors);
    quote!(#item #scheme #errors)
}

/// A scheme, as far as it could be read.
struct Scheme {
    krate: Path,
    ident: Ident,
    name: Option<SchemeName>,
    description: Option<Text>,
    rejection: Option<Rejections>,
    own_error: Option<OwnError>,
    /// `false` if no refusal has its challenge.
    has_challenge: bool,
    auto_error: AutoError,
    credential: Credential,
    own: Own,
    /// `false` if a part could not be read. Scopes may be missing then, so no flow is declared.
    is_complete: bool,
    /// `true` if it verifies its tokens, and a mistake hides the type of the claims.
    has_unknown_value: bool,
}

impl Scheme {
    fn new<O: OwnArguments>(
        SchemeTarget { ident, attrs }: SchemeTarget,
        verifies: bool,
        Read { arguments, mut is_complete }: Read<SchemeArguments<O>>,
        errors: &mut Accumulator,
    ) -> Self {
        let mut own = arguments.own.into_own();
        own.mistakes.extend(own.scopes.take_mistakes());
        for mut mistakes in own.flows.iter_mut().map(Flow::take_mistakes) {
            own.mistakes.append(&mut mistakes);
        }
        is_complete &= own.mistakes.is_empty();
        errors.extend(own.mistakes.drain(..));
        let name = arguments.scheme_name.or_else(|| {
            errors.handle(SchemeName::of_struct(&ident.unraw().to_string(), ident.span()))
        });
        let has_challenge = arguments.challenge.as_ref().is_none_or(|Flag(challenge)| *challenge);
        let own_error = OwnError::read(arguments.error, arguments.challenge);
        if let Some(error) = own_error.as_ref().filter(|_| arguments.rejection.is_some()) {
            let sentence = "the scheme answers with this type; remove `rejection`, or keep it and remove `error`";
            errors.push(error_at(error.span(), sentence));
        }
        if let Some(written) = &arguments.auto_error
            && matches!(**written, AutoError::YieldsReason)
            && verifies
        {
            let sentence = "a scheme that verifies refuses a wrong token itself; write `auto_error = false`, or remove `verified` and \
                            call the verifier in a `#[dependency]`";
            errors.push(error_at(written.span(), sentence));
        }
        Self {
            name,
            description: arguments.description.or_else(|| doc_comment(&attrs)),
            auto_error: arguments.auto_error.map_or(AutoError::Refuses, |written| *written),
            rejection: arguments.rejection,
            has_challenge,
            own_error,
            krate: arguments.krate.0,
            credential: O::CREDENTIAL,
            ident,
            has_unknown_value: verifies && own.verification.is_none(),
            own,
            is_complete,
        }
    }

    /// Returns the checks of arguments that are constants, read back from the generated
    /// configuration.
    fn constant_checks(&self) -> Vec<TokenStream> {
        let Self { krate, ident, own, .. } = self;
        if !self.is_complete {
            return Vec::new();
        }
        let config = quote!(<#ident as #krate::Scheme>::CONFIG);
        let mut checks = Vec::new();
        if let Some(name) = &self.name {
            checks.extend(name.constant_check(&quote!(#config.scheme_name()), krate));
        }
        for flow in &own.flows {
            checks.extend(flow.constant_checks(&config, krate));
        }
        checks.extend(own.kind.constant_check(&config, krate));
        checks.extend(own.space.checks(&config, krate));
        let rejections = self.rejection.iter();
        checks.extend(rejections.map(|rejections| rejections.checks(&config, krate)));
        let own_error = self.own_error.iter();
        checks.extend(own_error.map(|own_error| own_error.checks(krate)));
        checks
    }
}

impl Scheme {
    /// Returns the type that the scheme yields.
    fn yields(&self) -> TokenStream {
        let krate = &self.krate;
        let credential = match self.credential {
            Credential::AuthorizationValue => quote!(#krate::AuthorizationValue),
            Credential::BearerToken => quote!(#krate::BearerToken),
            Credential::ApiKey => quote!(#krate::ApiKey),
            Credential::BasicCredentials => quote!(#krate::BasicCredentials),
            Credential::HttpCredentials => quote!(#krate::HttpCredentials),
        };
        match self.auto_error {
            AutoError::Refuses => credential,
            AutoError::YieldsNone => quote!(::core::option::Option<#credential>),
            AutoError::YieldsReason => {
                quote!(::core::result::Result<#credential, #krate::scheme::RejectionReason>)
            }
        }
    }

    /// Returns the configuration, a call for each argument that is written.
    fn config(&self) -> TokenStream {
        let Self { krate, ident, own, .. } = self;
        let name = match &self.name {
            Some(SchemeName(name)) => name.to_token_stream(),
            None => ident.to_string().to_token_stream(),
        };
        let description = self.description.as_ref().map(|text| quote!(.with_description(#text)));
        let flows = own
            .flows
            .iter()
            .filter(|_| self.is_complete)
            .map(|flow| flow.tokens(&own.scopes, krate));
        // Scopes may be missing here too.
        let kind = match own.kind {
            SchemeKind::OpenIdConnect { .. } if !self.is_complete => TokenStream::new(),
            ref kind => kind.tokens(ident, krate),
        };
        let scopes = (self.is_complete && own.flows.is_empty() && !own.scopes.is_empty())
            .then(|| own.scopes.tokens(krate))
            .map(|scopes| quote!(.with_scopes(#scopes)));
        let challenge = (!self.has_challenge).then(|| quote!(.with_challenge(false)));
        let strict = own.strict.then(|| quote!(.with_strict(true)));
        let websocket = own.websocket.then(|| quote!(.with_websocket(true)));
        let dpop = own.dpop.then(|| quote!(.with_dpop(true)));
        let charset = own.charset.then(|| quote!(.with_charset(true)));
        let space = own.space.tokens(krate);
        // A scheme that verifies has complete challenges.
        let realm = (own.verification.is_some() && !own.space.has_realm())
            .then(|| quote!(.with_realm(#krate::scheme::TextOrSetting::Text(#name))));
        let rejection = self.rejection.as_ref().map(|rejections| rejections.tokens(krate));
        let error_data = self.own_error.as_ref().map(|error| error.tokens(krate));
        quote! {
            #krate::scheme::SchemeConfig::new::<<Self as #krate::Scheme>::Credential>(#name)
                #description
                #kind
                #scopes
                .with_flows(#krate::scheme::Flows::new() #(#flows)*)
                #strict
                #websocket
                #dpop
                #challenge
                #charset
                #space
                #realm
                #rejection
                #error_data
        }
    }

    /// Returns the impl of the dependency.
    fn dependency(&self) -> TokenStream {
        let Self { krate, ident, own, own_error, .. } = self;
        match (&own.verification, own_error) {
            (Some(verification), _) => verification.dependency(ident, own_error.as_ref(), krate),
            (None, _) if self.has_unknown_value => quote!(#krate::__rejected!(#ident);),
            (None, None) => quote!(#krate::__dependency!(#ident);),
            (None, Some(error)) => {
                let error = error.arguments(ident, krate);
                quote!(#krate::__dependency!(#ident, #error);)
            }
        }
    }
}

impl ToTokens for Scheme {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { krate, ident, own, own_error, .. } = self;
        let (yields, config, dependency) = (self.yields(), self.config(), self.dependency());
        let resource = own
            .space
            .has_resource()
            .then(|| quote!(#[automatically_derived] impl #krate::metadata::ProtectedResource for #ident {}));
        let fails = own_error.as_ref().map(|error| error.fails(ident, krate));
        let mut constants: TokenStream = own.flows.iter().map(Flow::constants).collect();
        constants.extend(own.scopes.constants());
        if !constants.is_empty() {
            tokens.extend(quote!(impl #ident { #constants }));
        }
        tokens.extend(quote! {
            #[automatically_derived]
            #[allow(deprecated)]
            impl #krate::Scheme for #ident {
                type Credential = #yields;
                const CONFIG: #krate::scheme::SchemeConfig = #config;
            }
            #resource
            #fails
            #dependency
        });
    }
}
