//! Writes random handlers, and says which of them are declared, by a model of the rules: what needs
//! a credential, and what a request without any passes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

const HANDLERS: usize = 200;
const DEPENDENCIES: usize = 80;
const KEYS: usize = 6;

/// A program in parts. The sources of handlers and guards are in the order of their names.
pub(crate) struct Program {
    /// The schemes, the dependencies and the handlers, which are named `h0`, `h1` …
    pub(crate) items: String,
    /// Whether each handler is declared.
    pub(crate) declared: Vec<bool>,
    /// The path of each dependency, and whether it can be a guard.
    pub(crate) guards: Vec<(String, bool)>,
}

/// A dependency, and what is known of it.
#[derive(Clone)]
struct Node {
    path: String,
    ty: String,
    has_scheme: bool,
    /// A request without any credential does not pass it, or may not.
    refuses: bool,
    /// It refuses a wrong credential.
    verifies: bool,
    needs_credential: bool,
    is_guard: bool,
    is_extracted: bool,
    /// The places of the credentials that it needs.
    places: BTreeSet<usize>,
}

impl Node {
    fn scheme(path: String, ty: &str, is_optional: bool, verifies: bool, place: usize) -> Self {
        Self {
            path,
            ty: if is_optional { format!("Option<{ty}>") } else { ty.to_owned() },
            has_scheme: true,
            refuses: !is_optional,
            verifies,
            needs_credential: !is_optional,
            is_guard: verifies && !is_optional,
            is_extracted: false,
            places: if is_optional { BTreeSet::new() } else { BTreeSet::from([place]) },
        }
    }
}

/// Returns `true` for one of `of` numbers.
fn one_in(random: &mut Random, of: usize) -> bool {
    random.below(of) == 0
}

pub(crate) fn generate(random: &mut Random) -> Result<Program, std::fmt::Error> {
    let mut items = String::new();
    let mut nodes = schemes(&mut items)?;
    while nodes.len() < DEPENDENCIES {
        let number = nodes.len();
        let below = (0..random.below(4)).map(|_| nodes[random.below(number)].clone());
        let below = Vec::from_iter(below);
        let node = if one_in(random, 2) {
            one_of(&mut items, number, &below, one_in(random, 2))?
        } else {
            Some(function(&mut items, number, &below, random.below(3))?)
        };
        nodes.extend(node);
    }
    let mut declared = Vec::new();
    while declared.len() < HANDLERS {
        let handler = handler(random, declared.len(), &nodes);
        if let Some((source, is_declared)) = handler {
            items += &source;
            declared.push(is_declared);
        }
    }
    let guards = nodes.into_iter().map(|node| (node.path, node.is_guard)).collect();
    Ok(Program { items, declared, guards })
}

/// Writes keys that nothing checks and a token that the scheme verifies, each with and without
/// `auto_error = false`.
fn schemes(items: &mut String) -> Result<Vec<Node>, std::fmt::Error> {
    let mut nodes = Vec::new();
    for (prefix, argument, is_optional) in [("S", "", false), ("M", ", auto_error = false", true)] {
        for key in 0..KEYS {
            writeln!(items, "#[api_key(header = \"k{key}\"{argument})]\nstruct {prefix}{key};")?;
            nodes.push(Node::scheme(format!("{prefix}{key}"), "ApiKey", is_optional, false, key));
        }
        let path = format!("{prefix}V");
        writeln!(items, "#[http_bearer(verified = (), by = Nobody{argument})]\nstruct {path};")?;
        nodes.push(Node::scheme(path, "Verified<()>", is_optional, true, KEYS));
    }
    Ok(nodes)
}

/// Writes a function that returns a value, a `Result` whose error has no values, or a `Result`. It
/// is the last one if it would let any credential in.
fn function(
    items: &mut String,
    number: usize,
    below: &[Node],
    kind: usize,
) -> Result<Node, std::fmt::Error> {
    let any = |is: fn(&Node) -> bool| below.iter().any(is);
    let has_scheme = any(|node| node.has_scheme);
    let needs_credential = any(|node| node.needs_credential);
    let is_checked_below = if needs_credential {
        any(|node| node.needs_credential && node.verifies)
    } else {
        any(|node| node.refuses && node.verifies)
    };
    let refuses_below = if has_scheme {
        any(|node| node.has_scheme && node.refuses)
    } else {
        any(|node| node.refuses)
    };
    let is_fallible = kind == 2 || needs_credential && !is_checked_below;
    let parameters = below.iter().enumerate();
    let parameters = parameters
        .map(|(index, Node { path, ty, .. })| format!("#[security({path})] _p{index}: {ty}"));
    let (returned, value) = match kind {
        _ if is_fallible => (format!("Result<T{number}, Rejection>"), format!("Ok(T{number})")),
        1 => (format!("Result<T{number}, Infallible>"), format!("Ok(T{number})")),
        _ => (format!("T{number}"), format!("T{number}")),
    };
    writeln!(
        items,
        "struct T{number};\n#[dependency(extract)]\nfn f{number}({}) -> {returned} {{ {value} }}",
        Vec::from_iter(parameters).join(", ")
    )?;
    let refuses = is_fallible || refuses_below;
    let verifies = is_fallible && has_scheme || is_checked_below;
    Ok(Node {
        path: format!("f{number}"),
        ty: format!("T{number}"),
        has_scheme,
        refuses,
        verifies,
        needs_credential,
        is_guard: refuses && (verifies || !has_scheme),
        is_extracted: true,
        places: below.iter().flat_map(|node| node.places.clone()).collect(),
    })
}

/// Writes a list of alternatives, if the dependencies can be some.
fn one_of(
    items: &mut String,
    number: usize,
    below: &[Node],
    has_empty: bool,
) -> Result<Option<Node>, std::fmt::Error> {
    let places = BTreeSet::from_iter(below.iter().flat_map(|node| node.places.clone()));
    let of_each: usize = below.iter().map(|node| node.places.len()).sum();
    // Alternatives of one place cover each other.
    let can_be = !below.is_empty()
        && places.len() == of_each
        && below.iter().all(|node| node.needs_credential);
    if !can_be {
        return Ok(None);
    }
    let verifies = below.iter().all(|node| node.verifies);
    let is_extracted = verifies || has_empty;
    let variants = below.iter().enumerate();
    let variants = variants
        .map(|(index, Node { path, ty, .. })| format!("#[security({path})] A{index}({ty}), "));
    writeln!(
        items,
        "#[one_of{}]\nenum O{number} {{ {}{} }}",
        if is_extracted { "(extract)" } else { "" },
        String::from_iter(variants),
        if has_empty { "Empty" } else { "" },
    )?;
    Ok(Some(Node {
        path: format!("O{number}"),
        ty: format!("O{number}"),
        has_scheme: true,
        refuses: !has_empty,
        verifies,
        needs_credential: !has_empty,
        is_guard: !has_empty && below.iter().all(|node| node.is_guard),
        is_extracted,
        places: if has_empty { BTreeSet::new() } else { places },
    }))
}

/// Returns a handler, and whether it is declared. Two declarations of one handler are ambiguous, so
/// there is none then.
fn handler(random: &mut Random, number: usize, nodes: &[Node]) -> Option<(String, bool)> {
    let any = nodes[random.below(nodes.len())].clone();
    let mut parameters = Vec::new();
    let (attribute, mut declarations) = match random.below(5) {
        0 if any.is_guard => (format!("#[secured({})]\n", any.path), 1),
        1 => {
            parameters.push(format!("#[security({})] _secured: {}", any.path, any.ty));
            ("#[secured]\n".to_owned(), 1)
        }
        2 => ("#[public(reason = \"everyone may\")]\n".to_owned(), 1),
        _ => (String::new(), 0),
    };
    for index in 0..random.below(3) {
        let Node { ty, needs_credential, is_extracted, .. } = &nodes[random.below(nodes.len())];
        if !is_extracted {
            continue;
        }
        parameters.push(match random.below(6) {
            0 => format!("_p{index}: Option<{ty}>"),
            1 => format!("_p{index}: Result<{ty}, Response>"),
            _ => {
                declarations += usize::from(*needs_credential);
                format!("_p{index}: {ty}")
            }
        });
    }
    let parameters = parameters.join(", ");
    let source =
        format!("{attribute}async fn h{number}({parameters}) -> &'static str {{ \"in\" }}\n");
    (declarations < 2).then_some((source, declarations == 1))
}
