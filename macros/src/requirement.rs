//! A dependency and the scopes required of it: `#[security(path, scopes("items"))]`,
//! `#[secured(path, scopes("items"))]`, `plan!(path, scopes("items"))`,
//! `layer!(path, scopes("items"))`.

mod call;
mod flag;
mod mistake;
mod text;

use darling::ast::NestedMeta;
use darling::error::Accumulator;
use darling::{Error, FromMeta, Result};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Expr, ExprCall, ExprLit, Ident, Lit, MacroDelimiter, Meta, MetaList, MetaNameValue, Path,
    Token, Type,
};

use self::call::Call;
use self::flag::Flag;
use self::mistake::{LAYER, mistake};
use crate::attribute::{Arguments, CratePath, error_at, ungrouped};
use crate::emit::checks::{check, each, item_of};
use crate::types::{is_in, is_plain};

/// The path of a dependency and the scopes required of it.
#[derive(Clone)]
pub(crate) struct Requirement {
    pub(crate) path: Path,
    /// The arguments, unless there are none, or a mistake in them.
    call: Option<Call>,
    /// `true` if there are arguments, even with a mistake.
    is_called: bool,
    scopes: Vec<Expr>,
    /// `true` if the dependency runs even if its value is cached.
    is_fresh: bool,
    /// `true` if the scopes that are required above do not hold for the dependency.
    is_unscoped: bool,
    /// `true` if a wrong credential of the alternative counts as none.
    pub(crate) is_lenient: bool,
    /// `true` if a layer around the handler has resolved the dependency.
    pub(crate) is_of_layer: bool,
}

/// The attribute or macro that contains a requirement.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Site {
    /// `#[security(…)]`
    Parameter,
    /// `#[security(…)]` above a variant of a `#[one_of]`
    Variant,
    /// `#[secured(…)]`
    Guard,
    /// `#[security(…)]` above a method in a block with `#[secured]`
    Method,
    /// `plan!(…)`
    Plan,
    /// `layer!(…)`
    Layer,
    /// `operation!(…)`
    Operation,
}

impl Site {
    /// Formats a requirement as it is written in this site.
    fn written(self, requirement: &str) -> String {
        match self {
            Self::Parameter | Self::Variant | Self::Method => format!("#[security({requirement})]"),
            Self::Guard => format!("#[secured({requirement})]"),
            Self::Plan => format!("plan!({requirement})"),
            Self::Layer => format!("layer!({requirement})"),
            Self::Operation => format!("operation!({requirement})"),
        }
    }

    /// Returns the error message about a second dependency.
    fn second(self, path: &str) -> String {
        match self {
            Self::Parameter => {
                format!(
                    "a parameter takes its value from one dependency; add another parameter for `{path}`"
                )
            }
            Self::Variant => {
                format!("a variant has one dependency; write another variant for `{path}`")
            }
            Self::Guard => format!(
                "`#[secured]` takes one guard; to require both, add a second attribute below: `#[secured({path})]`"
            ),
            Self::Method => format!(
                "`#[security]` takes one guard; to require both, add a second attribute: `#[security({path})]`"
            ),
            Self::Plan => format!(
                "`plan!` takes one dependency; write a `#[dependency]` that takes both, this one as `#[security({path})]`"
            ),
            Self::Layer => {
                format!(
                    "`layer!` takes one dependency; to require both, add a second layer: `layer!({path})`"
                )
            }
            Self::Operation => "`operation!` takes one handler; write one call for each".to_owned(),
        }
    }
}

/// The arguments of a macro that takes one requirement.
#[derive(Default)]
pub(crate) struct Required {
    pub(crate) krate: Option<Path>,
    pub(crate) requirement: Option<Requirement>,
    /// `true` if a requirement is written, even an invalid one.
    pub(crate) is_written: bool,
    /// The scopes, which belong to the requirement. They may be written before it.
    scopes: Option<Vec<Expr>>,
}

impl Required {
    pub(crate) fn read(list: TokenStream, site: Site, errors: &mut Accumulator) -> Self {
        let mut required = Self::default();
        let items = Arguments::split(list.clone(), errors).into_items();
        required.is_written = items.is_empty() && !list.is_empty();
        for item in &items {
            match item {
                NestedMeta::Meta(meta)
                    if matches!(meta, Meta::NameValue(_))
                        && meta.path().is_ident("crate")
                        && !matches!(site, Site::Parameter | Site::Variant | Site::Method) =>
                {
                    let krate = errors.handle(CratePath::from_meta(meta));
                    required.krate = krate.map(|CratePath(path)| path);
                }
                item => {
                    required.is_written = true;
                    errors.handle(required.take(item, site));
                }
            }
        }
        match (&mut required.requirement, required.scopes.take()) {
            (Some(requirement), scopes) => requirement.scopes = scopes.unwrap_or_default(),
            (None, Some(_)) => {
                let example = site.written("current_user, scopes(\"items\")");
                let sentence = format!("`scopes` needs a dependency; name it first: `{example}`");
                errors.push(error_at(list.span(), sentence));
            }
            (None, None) => {}
        }
        required
    }

    /// Takes an argument. Of a dependency whose own arguments have a mistake, the path is known.
    fn take(&mut self, item: &NestedMeta, site: Site) -> Result<()> {
        match (item, &mut self.requirement) {
            (NestedMeta::Meta(Meta::List(list)), _)
                if list.path.is_ident("scopes")
                    && self.scopes.is_none()
                    && site != Site::Operation =>
            {
                self.scopes = Some(read_scopes(list.tokens.clone())?);
            }
            (NestedMeta::Meta(Meta::List(list)), none @ None) if is_call(list, site) => {
                let requirement = none.insert(Requirement::new(list.path.clone(), true));
                requirement.call = Some(Call::read(list)?);
            }
            (NestedMeta::Meta(Meta::NameValue(pair)), none @ None)
                if pair.path.is_ident("layer") && matches!(site, Site::Guard | Site::Method) =>
            {
                let (path, call) = of_layer(pair)?;
                let requirement = none.insert(Requirement::new(path.clone(), call.is_some()));
                requirement.is_of_layer = true;
                requirement.call = call.map(Call::of_expression).transpose()?;
            }
            (NestedMeta::Meta(Meta::Path(path)), none @ None) => {
                *none = Some(Requirement::new(path.clone(), false));
            }
            (NestedMeta::Meta(Meta::Path(word)), Some(requirement)) => {
                let flag = Flag::named(word).filter(|flag| flag.sites.contains(&site));
                match flag.map(|flag| (flag.of)(requirement)).filter(|is_set| !**is_set) {
                    Some(is_set) => *is_set = true,
                    None => return Err(mistake(item, true, site)),
                }
            }
            (item, requirement) => return Err(mistake(item, requirement.is_some(), site)),
        }
        Ok(())
    }
}

/// Reads the dependency in `layer = current_user`, which may have arguments.
fn of_layer(pair: &MetaNameValue) -> Result<(&Path, Option<&ExprCall>)> {
    let (path, call) = match ungrouped(&pair.value) {
        Expr::Call(call) => (&*call.func, Some(call)),
        path => (path, None),
    };
    match path {
        Expr::Path(found) if found.qself.is_none() => Ok((&found.path, call)),
        other => Err(error_at(other.span(), LAYER)),
    }
}

/// Returns `true` if a list is a dependency with its arguments.
fn is_call(list: &MetaList, site: Site) -> bool {
    let is_layer = matches!(site, Site::Guard | Site::Method) && list.path.is_ident("layer");
    matches!(list.delimiter, MacroDelimiter::Paren(_))
        && !list.path.is_ident("scopes")
        && !is_layer
        && site != Site::Operation
}

fn read_scopes(list: TokenStream) -> Result<Vec<Expr>> {
    let scopes = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list)?;
    let mut errors = Error::accumulator();
    for scope in scopes.iter().filter(|scope| !is_text(scope)) {
        let sentence = "a scope is a string; write `scopes(\"items\")`, or a constant";
        errors.push(error_at(scope.span(), sentence));
    }
    errors.finish_with(scopes.into_iter().collect())
}

fn is_text(scope: &Expr) -> bool {
    match scope {
        Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) | Expr::Path(_) | Expr::Macro(_) => true,
        Expr::Group(group) => is_text(&group.expr),
        _ => false,
    }
}

impl Requirement {
    /// Returns a requirement without scopes or flags.
    fn new(path: Path, is_called: bool) -> Self {
        Self {
            path,
            call: None,
            is_called,
            scopes: Vec::new(),
            is_fresh: false,
            is_unscoped: false,
            is_lenient: false,
            is_of_layer: false,
        }
    }

    /// Replaces a path of one identifier by an alias, and returns the alias as an item. If the path
    /// is not a type, only the alias is an error, even if an item of the handler has the same name.
    pub(crate) fn alias(&mut self, name: &Ident) -> Option<TokenStream> {
        let path = self.path.get_ident()?;
        let alias = Ident::new(&name.to_string(), path.span());
        let item = quote! {
            #[allow(non_camel_case_types)]
            type #alias = #path;
        };
        self.path = alias.into();
        Some(item)
    }

    /// Returns an item of the dependency's impl.
    fn item(&self, name: &str, krate: &Path) -> TokenStream {
        item_of(&self.path, &quote!(#krate::Dependency), name, self.path.span())
    }

    /// Returns the type of the dependency's value.
    pub(crate) fn output(&self, krate: &Path) -> TokenStream {
        self.item("Output", krate)
    }

    /// Returns the type of the dependency's value for a parameter. The parameter's own type is used
    /// if it is plain, so a wrong type is an error of that parameter only.
    pub(crate) fn output_as(&self, parameter: &Type, krate: &Path) -> TokenStream {
        if is_plain(parameter) { parameter.to_token_stream() } else { self.output(krate) }
    }

    /// Returns the edge to the dependency, as const data.
    pub(crate) fn edge(&self, krate: &Path) -> TokenStream {
        let (node, scopes) = (self.node(krate), &self.scopes);
        let is_literal = |scope: &Expr| matches!(ungrouped(scope), Expr::Lit(_));
        let scopes = if scopes.iter().all(is_literal) {
            quote!(&[#(#scopes),*])
        } else {
            // An array that reads a `static` is promoted only in its own const block.
            quote!(const { &[#(#scopes),*] })
        };
        let call = self.call.as_ref();
        let call = call.map(|call| call.with(&self.path, self.is_of_layer, krate));
        let fresh = self.is_fresh.then(|| quote!(.fresh()));
        let unscoped = self.is_unscoped.then(|| quote!(.unscoped()));
        let lenient = self.is_lenient.then(|| quote!(.lenient()));
        quote!(#krate::__rt::Edge::new(#node, #scopes) #call #fresh #unscoped #lenient)
    }

    /// Returns the dependency, as const data.
    pub(crate) fn node(&self, krate: &Path) -> TokenStream {
        self.item("NODE", krate)
    }

    /// Returns the check that the dependency can be a guard.
    pub(crate) fn guard_check(&self, krate: &Path) -> TokenStream {
        check(krate, "check_guard", &self.node(krate), self.path.span())
    }

    /// Reports an argument that is one of these parameters of the function, and leaves out the
    /// arguments.
    pub(crate) fn refuse_parameters(&mut self, parameters: &[&Ident], errors: &mut Accumulator) {
        let mistake = self.call.as_ref().and_then(|call| call.mistake(parameters));
        if let Some(mistake) = mistake {
            errors.push(mistake);
            self.call = None;
        }
    }

    /// Reports one of these names, which have a meaning only in the block around a method. Returns
    /// `true` if there is none.
    pub(crate) fn refuse_names(&self, names: &[Ident], errors: &mut Accumulator) -> bool {
        let (path, scopes) = (&self.path, &self.scopes);
        let arguments = self.call.as_ref().map(Call::arguments);
        let written = quote!(#path #arguments #(#scopes)*);
        let found = names.iter().find(|name| is_in(written.clone(), name));
        if let Some(name) = found {
            let sentence = format!(
                "`{name}` has no meaning outside of the block, where the plan of a method is; name a dependency, arguments and scopes \
                 without it"
            );
            errors.push(error_at(path.span(), sentence));
        }
        found.is_none()
    }

    /// Returns the checks that no arguments are left out, which is shown at the path, and that the
    /// schemes below declare the scopes. Each error is shown at its scope.
    pub(crate) fn checks(&self, krate: &Path) -> TokenStream {
        let node = self.node(krate);
        let named = (!self.is_called).then(|| check(krate, "check_named", &node, self.path.span()));
        let scopes = self
            .scopes
            .iter()
            .map(|scope| check(krate, "check_scope", &quote!(#node, #scope), scope.span()));
        let scopes = each(scopes);
        quote!(#named #scopes)
    }
}

/// Expands a macro that takes one requirement. `missing` is the error message if nothing is
/// written.
pub(crate) fn expand_one(
    site: Site,
    missing: &str,
    arguments: TokenStream,
    expand: impl FnOnce(&Path, &Requirement) -> TokenStream,
) -> TokenStream {
    let mut errors = Error::accumulator();
    let required = Required::read(arguments, site, &mut errors);
    if !required.is_written {
        errors.push(error_at(Span::call_site(), missing));
    }
    let krate = required.krate.unwrap_or_else(|| CratePath::default().0);
    match (errors.finish(), required.requirement) {
        (Ok(()), Some(requirement)) => expand(&krate, &requirement),
        (Ok(()), None) => TokenStream::new(),
        (Err(errors), _) => {
            let errors = errors.write_errors();
            quote!({ #errors })
        }
    }
}
