//! The part that the derives of forms share: the arguments and the generated impl.

mod field;
mod target;

use darling::error::Accumulator;
use darling::util::SpannedValue;
use darling::{Error, FromDeriveInput, FromMeta, Result};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{
    DeriveInput, Expr, ExprLit, GenericParam, Generics, Lifetime, Lit, LitStr, Meta, parse_quote,
};

use self::field::FormFields;
pub(crate) use self::target::FormTarget;
use crate::attribute::{CratePath, Flag, Literal, Number, error_at, reworded};
use crate::emit::checks::{self, check};

/// Which of the derives is expanded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FormKind {
    /// `RequestForm`: the form of any grant, or of another endpoint.
    Any,
    /// `PasswordRequestForm`: `username` and `password` are required, and `grant_type` may be
    /// omitted.
    Password,
}

/// Expands the derive to the form, or to a stub and every mistake. With the stub, code that uses
/// the form causes no further errors.
pub(crate) fn expand(kind: FormKind, item: TokenStream) -> TokenStream {
    let item = match syn::parse2::<DeriveInput>(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Error::accumulator();
    let at_name = |error| at_name(error, &item.ident);
    let written = errors.handle(FormArguments::from_derive_input(&item).map_err(at_name));
    // Read even after a mistake in the arguments of the struct, so that all are reported at once.
    let fields = errors.handle(FormFields::read(&item, kind).map_err(at_name));
    let form =
        written.zip(fields).map(|(written, fields)| Form::new(written, fields, kind, &mut errors));
    errors.handle(only_lifetime(&item.generics));
    match (errors.finish(), form) {
        (Ok(()), form) => form.into_token_stream(),
        (Err(errors), _) => {
            let (stub, errors) = (stub(&item), errors.write_errors());
            quote!(#stub #errors)
        }
    }
}

/// Shows errors without a span at the name of the struct.
pub(crate) fn at_name(error: Error, name: &Ident) -> Error {
    Error::multiple(reworded(error).into_iter().map(|error| error.with_span(name)).collect())
}

/// The struct's name and arguments, as written.
#[derive(FromDeriveInput)]
#[darling(attributes(password_form, request_form))]
struct FormArguments {
    ident: Ident,
    generics: Generics,
    grant_type: Option<Literal>,
    strict: Option<SpannedValue<Flag>>,
    max_bytes: Option<MaxBytes>,
    to_schema: Option<Flag>,
    /// The name of the form's schema in the API description.
    schema_name: Option<Literal>,
    #[darling(default, rename = "crate")]
    krate: CratePath,
}

/// A form.
struct Form {
    written: FormArguments,
    kind: FormKind,
    fields: FormFields,
}

impl Form {
    fn new(
        written: FormArguments,
        fields: FormFields,
        kind: FormKind,
        errors: &mut Accumulator,
    ) -> Self {
        match (kind, &written.grant_type) {
            (FormKind::Password, Some(Literal(grant_type))) => {
                let sentence = "the grant type of a password form is `password`; remove `grant_type`, or derive `RequestForm`";
                errors.push(error_at(grant_type.span(), sentence));
            }
            (FormKind::Any, Some(Literal(grant_type))) if grant_type.value().is_empty() => {
                let sentence =
                    "`grant_type` must not be empty; write the name of the grant, or remove it";
                errors.push(error_at(grant_type.span(), sentence));
            }
            _ => {}
        }
        errors
            .handle(check_schema_name(&schema_name(written.schema_name.as_ref(), &written.ident)));
        if kind == FormKind::Any
            && let Some(strict) = &written.strict
        {
            let sentence = "only a password form can do without its grant type; remove `strict`";
            errors.push(error_at(strict.span(), sentence));
        }
        if kind == FormKind::Any
            && written.grant_type.is_none()
            && let Some(field) = fields.grant_type()
        {
            let sentence = "the form has no grant type; write `#[request_form(grant_type = \"…\")]` on the struct, or remove this field";
            errors.push(error_at(field.span(), sentence));
        }
        Self { written, kind, fields }
    }

    /// Returns the configuration as an expression.
    fn config(&self) -> TokenStream {
        let FormArguments { grant_type, strict, max_bytes, krate: CratePath(krate), .. } =
            &self.written;
        let mut config = match self.kind {
            FormKind::Password => {
                let strict = strict.as_ref().is_some_and(|strict| strict.0);
                quote!(#krate::form::FormConfig::password().with_strict(#strict))
            }
            FormKind::Any => quote!(#krate::form::FormConfig::new()),
        };
        if let Some(Literal(grant_type)) = grant_type {
            config.extend(quote!(.with_grant_type(#grant_type)));
        }
        if let Some(MaxBytes(max_bytes)) = max_bytes {
            config.extend(quote!(.with_max_bytes(#max_bytes)));
        }
        config.extend(self.fields.call());
        config
    }
}

impl ToTokens for Form {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let fields = &self.fields;
        let FormArguments {
            ident, generics, max_bytes, to_schema, krate: CratePath(krate), ..
        } = &self.written;
        let target = FormTarget { krate, ident, generics };
        let config = self.config();
        let (standard, own_types) = (fields.standard(krate), fields.own_types(krate));
        let own_names = fields.own_names(krate);
        let local = Ident::new("__fields", Span::mixed_site());
        let read = fields.read_all(krate, &local);
        let schema_name = schema_name(self.written.schema_name.as_ref(), ident);
        let has_schema = to_schema.as_ref().is_none_or(|Flag(to_schema)| *to_schema);
        tokens.extend(target.form(
            &quote!(const CONFIG: #krate::form::FormConfig = #config;),
            &quote!(#krate::__rt::FormSchema::of::<Self>(&[#standard], &[#own_types])),
            Some(quote!(#[inline(always)])),
            |[body, config, purpose]| {
                quote! {
                    #krate::__rt::decode::<_, #purpose, _>(#body, #config, #own_names, |#local| {
                        #read
                    })
                }
            },
        ));
        tokens.extend(target.marks(has_schema.then_some(&schema_name)));
        if let Some(MaxBytes(max_bytes)) = max_bytes
            && !matches!(max_bytes, Expr::Lit(_))
        {
            let ty = target.with_static_lifetime();
            let value = quote!(<#ty as #krate::form::RequestForm<'static>>::CONFIG.max_bytes());
            let check = check(krate, "check_max_bytes", &value, max_bytes.span());
            tokens.extend(checks::all([check]));
        }
    }
}

/// Returns the name of a form's schema: the one that is written, or the type's.
pub(crate) fn schema_name(written: Option<&Literal>, ident: &Ident) -> LitStr {
    let written = written.map(|Literal(name)| name.clone());
    written.unwrap_or_else(|| LitStr::new(&ident.unraw().to_string(), ident.span()))
}

/// Checks that the API description can have the name of a schema.
pub(crate) fn check_schema_name(name: &LitStr) -> Result<()> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    let value = name.value();
    if !value.is_empty() && value.bytes().all(is_allowed) {
        return Ok(());
    }
    let sentence = "the name of a schema is made of ASCII letters, digits, `.`, `-` and `_`; write `schema_name = \"Login\"`";
    Err(error_at(name.span(), sentence))
}

/// `max_bytes = 65536`, or a constant
struct MaxBytes(Expr);

impl FromMeta for MaxBytes {
    fn from_meta(meta: &Meta) -> Result<Self> {
        let Number(max_bytes) = Number::from_meta(meta)?;
        if let Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) = &max_bytes
            && literal.base10_parse::<u64>().is_ok_and(|bytes| bytes == 0)
        {
            let sentence =
                "`max_bytes` must be above 0; write `max_bytes = 65536`, the default, or remove it";
            return Err(error_at(literal.span(), sentence));
        }
        Ok(Self(max_bytes))
    }
}

/// The path of this crate, read without the other arguments.
#[derive(Default, FromDeriveInput)]
#[darling(attributes(password_form, request_form, grant), allow_unknown_fields)]
struct OnlyCrate {
    #[darling(default, rename = "crate")]
    krate: CratePath,
}

/// Returns the code of a form that decodes nothing, instead of a form with a mistake.
pub(crate) fn stub(item: &DeriveInput) -> TokenStream {
    let (ident, mut generics) = (&item.ident, item.generics.clone());
    let CratePath(krate) = OnlyCrate::from_derive_input(item).unwrap_or_default().krate;
    let (_, arguments, where_clause) = item.generics.split_for_impl();
    let own_lifetime = item.generics.lifetimes().next();
    let lifetime = match own_lifetime {
        Some(parameter) => parameter.lifetime.clone(),
        None => {
            let body = Lifetime::new("'body", Span::mixed_site());
            generics.params.insert(0, parse_quote!(#body));
            body
        }
    };
    let (parameters, ..) = generics.split_for_impl();
    let owned = own_lifetime.is_none().then(|| {
        let (parameters, ..) = item.generics.split_for_impl();
        quote!(impl #parameters #krate::form::OwnedForm for #ident #arguments #where_clause {})
    });
    let purpose = Ident::new("Purpose", Span::mixed_site());
    let name = ident.unraw().to_string();
    let (schema_parameters, ..) = item.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #krate::form::RequestForm<#lifetime> for #ident #arguments #where_clause {
            const CONFIG: #krate::form::FormConfig = #krate::form::FormConfig::new();
            #krate::__schema! { #krate::__rt::FormSchema::of::<Self>(&[], &[]) }
            fn from_body<#purpose: #krate::__rt::Purpose>(
                _: &#lifetime [::core::primitive::u8],
                _: #krate::form::FormConfig,
            ) -> ::core::result::Result<#purpose::Output<Self>, #krate::form::FormError> {
                ::core::result::Result::Err(#krate::form::FormError::incomplete_body())
            }
        }
        #owned
        #krate::__to_schema! { [#schema_parameters] #ident #arguments, #name, [#where_clause] }
    }
}

/// Checks that a form has no generic parameters except for the lifetime of the body.
pub(crate) fn only_lifetime(generics: &Generics) -> Result<()> {
    let mut parameters = generics.params.iter();
    match (parameters.next(), parameters.next()) {
        (None | Some(GenericParam::Lifetime(_)), None) => Ok(()),
        _ => {
            let sentence = "a form has at most one generic parameter, the lifetime of the body; remove the others";
            Err(error_at(generics.params.span(), sentence))
        }
    }
}
