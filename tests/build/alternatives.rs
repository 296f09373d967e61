//! Writes random trees with alternatives, and the data for a model of them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::random::Random;

const NODES: usize = 60;

/// Each scheme: its attribute and the type of its credential.
const SCHEMES: [(&str, &str); 8] = [
    ("api_key(header = \"s0\"", "ApiKey"),
    ("api_key(header = \"s1\"", "ApiKey"),
    ("api_key(query = \"s2\"", "ApiKey"),
    ("api_key(cookie = \"s3\"", "ApiKey"),
    ("http_bearer(strict = false", "BearerToken"),
    ("http_basic(realm = \"\"", "BasicCredentials"),
    ("http(scheme = \"Digest\"", "HttpCredentials"),
    ("api_key(header = \"s7\"", "ApiKey"),
];

/// A node of a tree, with the schemes that it requires.
struct Node {
    /// The type of its value.
    ty: String,
    /// The path of the dependency.
    path: String,
    required: BTreeSet<usize>,
    /// The nodes below.
    below: Vec<usize>,
    nodes: usize,
}

/// Returns `true` if no request passes a node, because alternatives above take each request with
/// one of the `taken` schemes.
fn is_covered(number: usize, taken: &BTreeSet<usize>, nodes: &[Node]) -> bool {
    let Node { ty, required, below, .. } = &nodes[number];
    if below.is_empty() {
        return required.is_subset(taken);
    }
    let mut requiring = below.iter().filter(|node| !nodes[**node].required.is_empty());
    let covered = |node: &usize| is_covered(*node, taken, nodes);
    if ty == "String" { requiring.any(covered) } else { requiring.all(covered) }
}

/// Returns the source code.
pub(crate) fn generate(random: &mut Random) -> Result<String, std::fmt::Error> {
    let mut source = String::new();
    let mut table = String::from("pub static NODES: &[Node] = &[\n");
    let mut nodes: Vec<Node> = Vec::new();
    for (number, (attribute, credential)) in SCHEMES.iter().enumerate() {
        writeln!(
            source,
            "#[{attribute}, rejection = Rejection::new(StatusCode::UNAUTHORIZED).with_challenge(\"S{number}\"))]\npub struct S{number};\n\
             #[dependency]\nfn s{number}(#[security(S{number})] _found: {credential}) -> String {{ \"s{number}\".to_owned() }}\n\
             #[{attribute}, auto_error = false)]\npub struct M{number};\n\
             #[dependency]\nfn m{number}(#[security(M{number})] found: Option<{credential}>) -> String {{ found.map_or(\"-\", |_| \"s{number}\").to_owned() }}",
        )?;
        for (path, required) in [("s", BTreeSet::from([number])), ("m", BTreeSet::new())] {
            let kind = if path == "s" { "Scheme" } else { "Optional" };
            writeln!(table, "    Node::{kind}({number}),")?;
            nodes.push(Node {
                ty: "String".to_owned(),
                path: format!("{path}{number}"),
                required,
                below: Vec::new(),
                nodes: 2,
            });
        }
    }
    while nodes.len() < NODES {
        let number = nodes.len();
        let mut below: Vec<usize> = Vec::new();
        let is_one_of = random.below(2) == 0;
        let mut covered = BTreeSet::new();
        for _ in 0..2 + random.below(3) {
            let node = random.below(number);
            let required = &nodes[node].required;
            let size: usize = below.iter().map(|node| nodes[*node].nodes).sum();
            let is_good = !is_one_of || !required.is_empty() && !is_covered(node, &covered, &nodes);
            if is_good && size + nodes[node].nodes < 100 {
                covered.extend(required);
                below.push(node);
            }
        }
        if below.is_empty() {
            continue;
        }
        let has_empty = is_one_of && random.below(3) == 0;
        let ty = if is_one_of { format!("O{number}") } else { "String".to_owned() };
        if is_one_of {
            one_of(&mut source, number, &below, has_empty, &nodes)?;
            writeln!(table, "    Node::OneOf({number}, &{below:?}, {has_empty}),")?;
        } else {
            function(&mut source, number, &below, &nodes)?;
            writeln!(table, "    Node::Function({number}, &{below:?}),")?;
        }
        nodes.push(Node {
            path: if is_one_of { ty.clone() } else { format!("f{number}") },
            ty,
            required: if has_empty { BTreeSet::new() } else { covered },
            nodes: 1 + below.iter().map(|node| nodes[*node].nodes).sum::<usize>(),
            below,
        });
    }
    source += "pub fn routes() -> Router {\n    Router::new()\n";
    for (number, Node { path, ty, .. }) in nodes.iter().enumerate() {
        writeln!(
            source,
            "        .route(\"/{number}\", {{\n            #[secured]\n            async fn handler(#[security({path})] found: {ty}) -> String {{ handled(found) }}\n            get(handler)\n        }})"
        )?;
    }
    Ok(source + "}\n" + &table + "];\n")
}

fn function(
    source: &mut String,
    number: usize,
    below: &[usize],
    nodes: &[Node],
) -> std::fmt::Result {
    let parameters = below.iter().enumerate().map(|(index, node)| {
        let Node { path, ty, .. } = &nodes[*node];
        format!("#[security({path})] p{index}: {ty}")
    });
    let texts = (0..below.len()).map(|index| format!("p{index}.text()"));
    writeln!(
        source,
        "#[dependency]\nfn f{number}({}) -> String {{ format!(\"f{number}({{}})\", [{}].join(\",\")) }}",
        parameters.collect::<Vec<_>>().join(", "),
        texts.collect::<Vec<_>>().join(", "),
    )
}

fn one_of(
    source: &mut String,
    number: usize,
    below: &[usize],
    has_empty: bool,
    nodes: &[Node],
) -> std::fmt::Result {
    let variants = below.iter().enumerate().map(|(index, node)| {
        let Node { path, ty, .. } = &nodes[*node];
        format!("#[security({path})] A{index}({ty}), ")
    });
    let arms = (0..below.len()).map(|index| {
        format!("Self::A{index}(found) => format!(\"o{number}.{index}({{}})\", found.text()), ")
    });
    let (empty, empty_arm) = if has_empty {
        ("Empty", format!("Self::Empty => \"o{number}.e\".to_owned()"))
    } else {
        ("", String::new())
    };
    writeln!(
        source,
        "#[one_of]\npub enum O{number} {{ {}{empty} }}\nimpl Text for O{number} {{ fn text(self) -> String {{ match self {{ {}{empty_arm} }} }} }}",
        variants.collect::<String>(),
        arms.collect::<String>(),
    )
}
