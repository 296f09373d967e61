//! The requirement of a plan: alternatives, each of them schemes that must all pass. The API
//! description and the table of routes read it.

use crate::plan::arguments::Arguments;
use crate::plan::gathered::Gathered;
use crate::plan::node::{Edge, Node};
use crate::scheme::config::SchemeConfig;

/// The ways to satisfy a plan. Each lists schemes that must all pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Alternatives(Vec<Vec<Reached>>);

/// A scheme that a chain reaches, with the scopes gathered on the way to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reached {
    pub(crate) scheme: &'static SchemeConfig,
    pub(crate) scopes: Vec<&'static str>,
    /// The roles that the caller needs for the dependencies above it, if a description can list them.
    roles: Vec<String>,
    /// `true` if a wrong credential of the scheme counts as none.
    pub(crate) is_lenient: bool,
    /// `true` if the scheme, or a function above it that decides, refuses a request without it.
    is_required: bool,
}

/// The names of schemes that must all pass, each with its scopes and then its roles.
pub(crate) type Alternative = Vec<(String, Vec<String>)>;

impl Alternatives {
    /// Returns what a node requires that is itself required with these scopes and arguments.
    pub(crate) fn of(
        node: &'static Node,
        scopes: &[&'static str],
        arguments: Option<&Arguments>,
    ) -> Self {
        let mut branches = vec![Branch::default()];
        let path = Gathered::from(scopes);
        add(&mut branches, node, arguments, &path, &mut scopes.to_vec());
        let mut alternatives = Vec::new();
        for Branch { reached, .. } in branches {
            // Roles that are not listed make no difference.
            if !alternatives.contains(&reached) {
                alternatives.push(reached);
            }
        }
        Self(alternatives)
    }

    /// Combines two requirements. Both must pass.
    #[cfg(feature = "openapi")]
    pub(crate) fn and(&self, other: &Self) -> Self {
        let mut alternatives = Vec::new();
        for left in &self.0 {
            for right in &other.0 {
                let mut both = left.clone();
                for reached in right {
                    reach(&mut both, reached);
                }
                alternatives.push(both);
            }
        }
        Self(alternatives)
    }

    /// Returns each place where a scheme is reached.
    #[cfg(feature = "openapi")]
    pub(crate) fn reached(&self) -> impl Iterator<Item = &Reached> {
        self.0.iter().flatten()
    }

    /// Returns the alternatives, each with the schemes that it reaches.
    #[cfg(feature = "rmcp3")]
    pub(crate) fn iter(&self) -> core::slice::Iter<'_, Vec<Reached>> {
        self.0.iter()
    }

    /// Returns the ways to satisfy the requirement, each with the schemes that must all pass. If a
    /// scheme of one may be absent, its required schemes form another one by themselves.
    pub(crate) fn ways(&self) -> impl Iterator<Item = Vec<&Reached>> {
        self.0.iter().flat_map(|alternative| {
            let required = alternative.iter().filter(|reached| reached.is_required);
            [alternative.iter().collect(), required.collect()]
        })
    }

    /// Returns the ways by name, each once. The list is empty if no scheme is reached.
    pub(crate) fn named(&self) -> Vec<Alternative> {
        let mut named: Vec<Alternative> = Vec::new();
        let ways = Vec::from_iter(self.ways());
        let is_needless = |way: &Vec<&Reached>| ways.iter().any(|other| has_less_roles(other, way));
        for way in ways.iter().filter(|way| !is_needless(way)) {
            let requirement = requirement(way);
            if !named.iter().any(|other| is_same(other, &requirement)) {
                named.push(requirement);
            }
        }
        if named.iter().all(Vec::is_empty) {
            named.clear();
        }
        named
    }
}

/// A way to satisfy the requirement, while the tree is walked.
#[derive(Clone, Default)]
struct Branch {
    reached: Vec<Reached>,
    /// The lists of alternatives on the way, each with the number of the chosen one. A request
    /// means the same one wherever the list is reached.
    chosen: Vec<(&'static Node, Option<usize>)>,
    /// The roles that dependencies on the path to a node ask for, each a choice of theirs.
    roles: Vec<String>,
    /// `true` below an alternative whose wrong credential counts as none.
    is_lenient: bool,
}

impl Branch {
    /// Returns the ways below a function that decides, each with what is reached outside of it.
    /// Because the function refuses a request without any credential, one of the schemes that may be
    /// absent is required if no other is, and a way without a scheme is none.
    fn decided(mut self, outside: &[Reached]) -> impl Iterator<Item = Self> {
        let reached = core::mem::take(&mut self.reached);
        let ways = if reached.iter().any(|reached| reached.is_required) {
            vec![reached]
        } else {
            let each = reached.into_iter();
            each.map(|reached| vec![Reached { is_required: true, ..reached }]).collect()
        };
        ways.into_iter().map(move |way| {
            let mut reached = outside.to_vec();
            way.iter().for_each(|below| reach(&mut reached, below));
            Self { reached, ..self.clone() }
        })
    }
}

/// Adds the schemes at and below a node to each branch. The scopes are those that are gathered on the
/// path to the node.
fn add(
    branches: &mut Vec<Branch>,
    node: &'static Node,
    arguments: Option<&Arguments>,
    path: &Gathered<'_>,
    scopes: &mut Vec<&'static str>,
) {
    if let Some(scheme) = node.as_scheme() {
        for branch in &mut *branches {
            let roles = if scheme.kind.lists_scopes_alone() { &[] } else { &*branch.roles };
            let reached = Reached {
                scheme,
                scopes: scopes.clone(),
                roles: roles.to_vec(),
                is_lenient: branch.is_lenient,
                is_required: scheme.auto_error,
            };
            reach(&mut branch.reached, &reached);
        }
    }
    if !node.is_one_of() {
        let roles = arguments.map(|arguments| arguments.roles(node)).unwrap_or_default();
        choose_roles(branches, &roles);
        let outside = node.decides().then(|| core::mem::take(branches));
        for branch in outside.iter().flatten() {
            let mut below = vec![Branch { reached: Vec::new(), ..branch.clone() }];
            for edge in node.edges {
                add_edge(&mut below, edge, path, scopes);
            }
            branches.extend(below.into_iter().flat_map(|below| below.decided(&branch.reached)));
        }
        if outside.is_none() {
            for edge in node.edges {
                add_edge(branches, edge, path, scopes);
            }
        }
        if !roles.is_empty() {
            branches.iter_mut().for_each(|branch| drop(branch.roles.pop()));
        }
        return;
    }
    for branch in core::mem::take(branches) {
        let is_lenient = branch.is_lenient;
        let choices: Vec<_> = match branch.chosen.iter().find(|(list, _)| list.is_like(node)) {
            Some((_, chosen)) => vec![*chosen],
            None => {
                let alternatives = (0..node.edges.len()).map(Some);
                alternatives.chain(node.has_empty().then_some(None)).collect()
            }
        };
        for choice in choices {
            let edge = choice.and_then(|number| node.edges.get(number));
            let mut chosen = branch.clone();
            chosen.chosen.push((node, choice));
            chosen.is_lenient |= edge.is_some_and(|edge| edge.is_lenient);
            let mut chosen = vec![chosen];
            if let Some(edge) = edge {
                add_edge(&mut chosen, edge, path, scopes);
            }
            for branch in &mut chosen {
                branch.is_lenient = is_lenient;
            }
            branches.append(&mut chosen);
        }
    }
}

/// Adds the roles of which a dependency asks for one: a branch for each.
fn choose_roles(branches: &mut Vec<Branch>, roles: &[String]) {
    if roles.is_empty() {
        return;
    }
    let before = core::mem::take(branches);
    branches.extend(before.iter().flat_map(|branch| {
        roles.iter().map(|role| {
            let mut chosen = branch.clone();
            chosen.roles.push(role.clone());
            chosen
        })
    }));
}

fn add_edge(
    branches: &mut Vec<Branch>,
    edge: &'static Edge,
    path: &Gathered<'_>,
    scopes: &mut Vec<&'static str>,
) {
    let (node, arguments) = (edge.node, edge.arguments);
    if edge.is_unscoped {
        let mut own = edge.scopes.to_vec();
        return add(branches, node, arguments, &Gathered::from(edge.scopes), &mut own);
    }
    let path = path.below(edge.scopes);
    let before = scopes.len();
    let required = edge.scopes.iter().enumerate();
    scopes.extend(required.filter(|(index, _)| path.adds(*index)).map(|(_, scope)| scope));
    add(branches, node, arguments, &path, scopes);
    scopes.truncate(before);
}

fn reach(alternative: &mut Vec<Reached>, reached: &Reached) {
    let mut others = alternative.iter_mut();
    match others.find(|other| other.scheme == reached.scheme) {
        Some(other) => {
            merge(&mut other.scopes, &reached.scopes);
            merge(&mut other.roles, &reached.roles);
            other.is_lenient &= reached.is_lenient;
            other.is_required |= reached.is_required;
        }
        None => alternative.push(reached.clone()),
    }
}

/// Returns `true` if a way has the schemes and the scopes of another one, and some of its roles, but
/// not all.
fn has_less_roles(way: &[&Reached], other: &[&Reached]) -> bool {
    let is_part = |(less, more): (&&Reached, &&Reached)| {
        (less.scheme, &less.scopes) == (more.scheme, &more.scopes)
            && less.roles.iter().all(|role| more.roles.contains(role))
    };
    let roles = |way: &[&Reached]| way.iter().map(|reached| reached.roles.len()).sum::<usize>();
    way.len() == other.len() && roles(way) < roles(other) && way.iter().zip(other).all(is_part)
}

fn requirement(way: &[&Reached]) -> Alternative {
    let mut requirement = Alternative::new();
    for Reached { scheme, scopes, roles, .. } in way {
        let mut scopes = Vec::from_iter(scopes.iter().map(|scope| (*scope).to_owned()));
        merge(&mut scopes, roles);
        require(&mut requirement, scheme.scheme_name, scopes);
    }
    requirement
}

/// Adds a scheme with its scopes to an alternative.
pub(crate) fn require(alternative: &mut Alternative, name: &str, scopes: Vec<String>) {
    match alternative.iter_mut().find(|(other, _)| other == name) {
        Some((_, others)) => merge(others, &scopes),
        None => alternative.push((name.to_owned(), scopes)),
    }
}

/// Adds the scopes that are not there yet.
fn merge<T: Clone + PartialEq>(into: &mut Vec<T>, scopes: &[T]) {
    for scope in scopes {
        if !into.contains(scope) {
            into.push(scope.clone());
        }
    }
}

/// Returns `true` if two alternatives name the same schemes with the same scopes, in any order.
pub(crate) fn is_same(first: &Alternative, second: &Alternative) -> bool {
    first.len() == second.len()
        && first.iter().all(|(name, scopes)| {
            let found = second.iter().find(|(other, _)| other == name);
            found.is_some_and(|(_, others)| {
                scopes.iter().all(|scope| others.contains(scope))
                    && others.iter().all(|scope| scopes.contains(scope))
            })
        })
}
