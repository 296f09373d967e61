//! Writes random trees of dependencies, and the data for a model of them.

use std::fmt::Write as _;

use crate::random::Random;

const DEPENDENCIES: usize = 36;
const HANDLERS: usize = 48;
const MAX_DEPTH: usize = 6;
/// Larger trees find nothing new.
const MAX_NODES: usize = 300;
const SCOPES: [&str; 6] = ["a", "b", "c:read", "c:write", "me", "items"];

/// An edge: the number of the dependency, and the scopes and arguments with which it is required.
struct Edge {
    dependency: usize,
    scopes: Vec<&'static str>,
    arguments: Vec<usize>,
}

/// The dependencies of an item.
type Edges = Vec<Edge>;

/// How many arguments a dependency takes. A third of them takes some.
const fn arguments_of(dependency: usize) -> usize {
    match dependency % 6 {
        1 => 1,
        4 => 2,
        _ => 0,
    }
}

#[derive(Clone, Copy)]
struct Measure {
    depth: usize,
    nodes: usize,
}

/// Draws edges to some of the newest dependencies, which are the deepest.
fn edges(
    random: &mut Random,
    at_least: usize,
    newest: usize,
    known: &[Measure],
) -> (Edges, Measure) {
    let mut edges = Edges::new();
    let mut measure = Measure { depth: 1, nodes: 1 };
    for _ in 0..at_least + random.below(3) {
        if known.is_empty() {
            break;
        }
        let dependency = known.len() - 1 - random.below(known.len().min(newest));
        let Measure { depth, nodes } = known[dependency];
        if depth < MAX_DEPTH && measure.nodes + nodes < MAX_NODES {
            let scopes = (0..random.below(4)).map(|_| SCOPES[random.below(SCOPES.len())]).collect();
            let arguments = (0..arguments_of(dependency)).map(|_| random.below(100));
            edges.push(Edge { dependency, scopes, arguments: arguments.collect() });
            measure = Measure { depth: measure.depth.max(depth + 1), nodes: measure.nodes + nodes };
        }
    }
    (edges, measure)
}

fn list(items: &impl std::fmt::Debug) -> String {
    format!("{items:?}").trim_matches(['[', ']']).to_owned()
}

fn attribute(edge: &Edge) -> String {
    let Edge { dependency, scopes, arguments } = edge;
    let called = match arguments.is_empty() {
        true => String::new(),
        false => format!("({})", list(arguments)),
    };
    let required = match scopes.is_empty() {
        true => String::new(),
        false => format!(", scopes({})", list(scopes)),
    };
    format!("#[security(dependency_{dependency}{called}{required})]")
}

fn parameters(edges: &Edges) -> (String, String) {
    let parameters = edges
        .iter()
        .enumerate()
        .map(|(index, edge)| format!("{} p{index}: Seen, ", attribute(edge)));
    let names = (0..edges.len()).map(|index| format!("p{index}, "));
    (parameters.collect(), names.collect())
}

fn table(name: &str, rows: &[Edges]) -> String {
    let mut table = format!("pub static {name}: &[&[(usize, &[&str], &[u32])]] = &[\n");
    for row in rows {
        table.push_str("    &[");
        for Edge { dependency, scopes, arguments } in row {
            write!(table, "({dependency}, &{scopes:?}, &{arguments:?}), ").unwrap_or_default();
        }
        table.push_str("],\n");
    }
    table + "];\n"
}

/// Returns the source code.
pub(crate) fn generate(random: &mut Random) -> Result<String, std::fmt::Error> {
    let (mut source, mut known) = (String::new(), Vec::new());
    let (mut dependencies, mut handlers) = (Vec::new(), Vec::new());
    for number in 0..DEPENDENCIES {
        let (edges, measure) = edges(random, 0, 8, &known);
        let (parameters, names) = parameters(&edges);
        // The first argument is before the other parameters, the second one after them.
        let (first, second) = match arguments_of(number) {
            0 => ("", ""),
            1 => ("#[argument] a0: u32, ", ""),
            _ => ("#[argument] a0: u32, ", ", #[argument] a1: u32"),
        };
        let arguments = ["", "a0", "a0, a1"][arguments_of(number)];
        // Half of them refuse a request that asks for it.
        let (headers, ty, refused, end) = match number % 2 {
            0 => ("", "Seen", String::new(), ""),
            _ => (
                "headers: HeaderMap, ",
                "Result<Seen, Rejection>",
                format!("refused({number}, &headers)?;\n    Ok("),
                ")",
            ),
        };
        writeln!(
            source,
            "#[dependency]\n{}fn dependency_{number}({first}{parameters}{headers}scopes: SecurityScopes{second}) -> {ty} {{\n    \
             {refused}Seen::new({number}, vec![{arguments}], scopes, vec![{names}]){end}\n}}",
            if random.below(2) == 0 { "async " } else { "" },
        )?;
        known.push(measure);
        dependencies.push(edges);
    }
    let mut routes = String::new();
    for number in 0..HANDLERS {
        let (mut edges, _) = edges(random, 1, DEPENDENCIES, &known);
        if edges.is_empty() {
            // A handler must require something of a request.
            edges.push(Edge { dependency: 0, scopes: Vec::new(), arguments: Vec::new() });
        }
        let (parameters, names) = parameters(&edges);
        writeln!(
            source,
            "#[secured]\nasync fn handler_{number}({parameters}) -> String {{\n    shown(&[{names}])\n}}"
        )?;
        writeln!(routes, "        .route(\"/{number}\", get(handler_{number}))")?;
        handlers.push(edges);
    }
    writeln!(source, "pub fn routes() -> Router {{\n    Router::new()\n{routes}}}")?;
    source += &table("DEPENDENCIES", &dependencies);
    source += &table("HANDLERS", &handlers);
    let depth = known.iter().map(|measure| measure.depth).max().unwrap_or(0) + 1;
    writeln!(source, "pub const DEPTH: usize = {depth};")?;
    Ok(source)
}
