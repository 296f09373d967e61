//! The mistakes of `tests/ui`, without the compiler. The macros report each of them in the same
//! words and at the same place as in the compiler's output.

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, mem};

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, File, LitStr, Macro, Meta};

use crate::{
    api_key, dependency, grant, http, http_basic, http_bearer, http_digest, layer, oauth2,
    oauth2_authorization_code_bearer, oauth2_bearer, oauth2_password_bearer, one_of,
    open_id_connect, operation, password_request_form, plan, public, request_form, secured,
};

/// An error message and its place: the line and the column, from 1.
type Mistake = (String, Place);
type Place = Option<(usize, usize)>;

#[test]
fn mistakes_are_reported_as_the_compiler_shows_them() {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui");
    let mut seen = 0;
    for folder in ["cases/examples", "frameworks/examples"] {
        read_all(&gallery.join(folder), "rs", &mut |source, path| {
            let printed = fs::read_to_string(path.with_extension("txt")).unwrap();
            let reported = reported(&source);
            assert_eq!(reported, of_macros(&printed), "{}", path.display());
            seen += reported.len();
        });
    }
    assert!(seen > 80, "{seen}");
}

/// Returns the mistakes that the macros report for a file.
fn reported(source: &str) -> BTreeSet<Mistake> {
    let mut expander = Expander::default();
    expander.visit_file(&syn::parse_str::<File>(source).unwrap());
    let mut mistakes = BTreeSet::new();
    for (call, expansion) in expander.expansions {
        collect(call, expansion, &mut mistakes);
    }
    mistakes
}

/// Returns the errors in the compiler's output that have no number, which are those of macros.
fn of_macros(printed: &str) -> BTreeSet<Mistake> {
    let mut mistakes = BTreeSet::new();
    for line in printed.lines().filter(|line| !line.starts_with(' ')) {
        let Some((place, sentence)) = line.split_once(" error: ") else {
            continue;
        };
        let (line, columns) = place.split_once(':').unwrap();
        let (column, _end) = columns.split_once('-').unwrap();
        let place = Some((line.parse().unwrap(), column.parse().unwrap()));
        let is_of_others = |list: &[&str]| list.iter().any(|words| sentence.starts_with(words));
        // rmcp has written this method, and is not expanded here.
        let is_of_rmcp = sentence.ends_with("write `#[secured]` above `#[tool_handler]`");
        if !is_of_others(&RUSTC) && !is_of_others(&INNER) && !is_of_rmcp {
            mistakes.insert((sentence.to_owned(), place));
        }
    }
    mistakes
}

/// CONTRIBUTING says to search a message with `grep -F`.
#[test]
fn the_rule_of_each_message_is_in_one_literal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for folder in ["src", "../runtime/src", "../runtime/core/src", "../runtime/tokens/src"] {
        read_all(&root.join(folder), "rs", &mut |source, path| {
            // Tests quote messages too.
            if !path.starts_with(root.join("src/tests")) {
                sources.push_str(source.split("mod tests {").next().unwrap());
            }
        });
    }
    // Without the line breaks in literals.
    let mut lines = sources.split("\\\n");
    let mut sources = lines.next().unwrap().to_owned();
    lines.for_each(|line| sources.push_str(line.trim_start()));
    let mut seen = 0;
    read_all(&root.join("../tests/ui"), "txt", &mut |printed, path| {
        let panics = printed
            .lines()
            .filter_map(|line| line.split_once(" error[E0080]: evaluation panicked: "))
            .map(|(_place, sentence)| sentence);
        let of_macros = of_macros(&printed).into_iter().map(|(sentence, _)| sentence);
        for sentence in of_macros.chain(panics.map(str::to_owned)) {
            let rule = sentence.split("; ").next().unwrap();
            // Names are between backticks, and numbers are counted.
            let parts = rule.split('`').step_by(2);
            let parts = parts.flat_map(|part| part.split(|letter: char| letter.is_ascii_digit()));
            let part = parts.map(str::trim).max_by_key(|part| part.len()).unwrap();
            // The name of a kind of value, such as `a realm`, is next to its rule.
            let of_value = part.splitn(3, ' ').last().unwrap();
            let is_found = |part: &str| sources.contains(part);
            assert!(is_found(part) || is_found(of_value), "{}: {part}", path.display());
            seen += 1;
        }
    });
    assert!(seen > 200, "{seen}");
}

/// Reads the files of a folder that have this extension.
fn read_all(folder: &Path, extension: &str, read: &mut impl FnMut(String, &Path)) {
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            read_all(&path, extension, read);
        } else if path.extension().is_some_and(|found| found == extension) {
            read(fs::read_to_string(&path).unwrap(), &path);
        }
    }
}

/// Errors without a number that come from the compiler or another macro.
const RUSTC: [&str; 8] = [
    "`const` items in this context need a name",
    "cannot find attribute",
    "enum is not supported",
    "expected identifier, found",
    "expected non-macro attribute",
    "future cannot be sent",
    "implementation is not supported",
    "invalid param definition",
];

/// Errors of a macro below another one, or of the runtime, which is not expanded here.
const INNER: [&str; 8] = [
    "`#[async_trait]` has expanded this method already",
    "`#[secured]` above an `impl` is for rmcp 3",
    "`#[secured]` above an `#[async_trait]` is for tonic 0.14",
    "a `#[public]` under another name is above this one",
    "a `#[secured]` under another name is above this one",
    "`routes!` takes the paths of functions",
    "`verified` takes JSON Web Tokens",
    "only actix-web extracts the value of a `local` dependency",
];

/// Expands the macros of a file. Of the attributes of an item, only the outermost macro is
/// expanded.
#[derive(Default)]
struct Expander {
    /// The expansions, each with the place of its call. Errors without their own place are shown
    /// there.
    expansions: Vec<(Place, TokenStream)>,
}

impl Expander {
    fn expand(&mut self, attrs: &[Attribute], item: &TokenStream) {
        let expand = |attr: &Attribute| {
            let args = match &attr.meta {
                Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            let name = attr.path().segments.last().unwrap().ident.to_string();
            let item = &without(item, attr);
            let expansion = match name.as_str() {
                "oauth2" => oauth2::expand(args, item),
                "oauth2_password_bearer" => oauth2_password_bearer::expand(args, item),
                "oauth2_authorization_code_bearer" => {
                    oauth2_authorization_code_bearer::expand(args, item)
                }
                "oauth2_bearer" => oauth2_bearer::expand(args, item),
                "open_id_connect" => open_id_connect::expand(args, item),
                "http_bearer" => http_bearer::expand(args, item),
                "http_basic" => http_basic::expand(args, item),
                "http_digest" => http_digest::expand(args, item),
                "http" => http::expand(args, item),
                "api_key" => api_key::expand(args, item),
                "one_of" => one_of::expand(args, item),
                "dependency" => dependency::expand(args, item),
                "secured" => secured::expand(args, item),
                "public" => public::expand(args, item),
                "security" => crate::security::expand(item.clone()),
                "derive" => match args.to_string() {
                    args if args.contains("PasswordRequestForm") => {
                        password_request_form::expand(item.clone())
                    }
                    args if args.contains("RequestForm") => request_form::expand(item.clone()),
                    args if args.contains("Grant") => grant::expand(item.clone()),
                    _ => return None,
                },
                _ => return None,
            };
            Some((position(attr.pound_token.span), expansion))
        };
        self.expansions.extend(attrs.iter().find_map(expand));
    }
}

impl Visit<'_> for Expander {
    fn visit_item(&mut self, item: &syn::Item) {
        let attrs = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Struct(item) => &item.attrs,
            syn::Item::Enum(item) => &item.attrs,
            syn::Item::Trait(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        let expanded = self.expansions.len();
        self.expand(attrs, &item.to_token_stream());
        // Above an `impl`, the macro has read the attributes of the methods.
        if !matches!(item, syn::Item::Impl(_)) || self.expansions.len() == expanded {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
        self.expand(&item.attrs, &item.to_token_stream());
    }

    fn visit_macro(&mut self, call: &Macro) {
        let tokens = call.tokens.clone();
        let name = call.path.segments.last().unwrap().ident.to_string();
        let expansion = match name.as_str() {
            "plan" => plan::expand(tokens),
            "layer" => layer::expand(tokens),
            "operation" => operation::expand(tokens),
            _ => return,
        };
        let first = call.path.segments.first().unwrap();
        self.expansions.push((position(first.ident.span()), expansion));
    }
}

/// Returns an item without one of its attributes.
fn without(item: &TokenStream, attr: &Attribute) -> TokenStream {
    let mut tokens = item.clone().into_iter().peekable();
    let mut rest = TokenStream::new();
    let (hash, brackets) =
        (position(attr.pound_token.span), position(attr.bracket_token.span.open()));
    while let Some(token) = tokens.next() {
        let next = tokens.peek().map(TokenTree::span).and_then(position);
        if position(token.span()) == hash && next == brackets {
            tokens.next();
        } else {
            rest.extend([token]);
        }
    }
    rest
}

fn position(span: Span) -> Place {
    let start = span.start();
    // Generated tokens have no place in the file.
    (start.line > 0 && span.end() != start).then_some((start.line, start.column + 1))
}

/// Collects every `compile_error!` in an expansion.
fn collect(call: Place, expansion: TokenStream, mistakes: &mut BTreeSet<Mistake>) {
    let mut place = None;
    let mut is_error = false;
    for token in expansion {
        match token {
            TokenTree::Ident(ident) if ident == "compile_error" => {
                (place, is_error) = (position(ident.span()).or(call), true);
            }
            TokenTree::Group(group) if mem::take(&mut is_error) => {
                let sentence: LitStr = syn::parse2(group.stream()).unwrap();
                mistakes.insert((sentence.value(), place));
            }
            TokenTree::Group(group) => collect(call, group.stream(), mistakes),
            _ => {}
        }
    }
}
