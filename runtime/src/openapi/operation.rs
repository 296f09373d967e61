//! The requirement of a handler, as part of its operation in the description.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use serde::{Serialize, Serializer};

use crate::credential::reason::RejectionReason;
use crate::credential::same_site::is_safe;
use crate::dependency::Dependency;
use crate::dependency::context::refuses_credential;
use crate::dependency::plan::Plan;
use crate::json::tree::{Object, Tree};
use crate::openapi::{DocumentError, own_error, scheme};
use crate::plan::gathered::Gathered;
use crate::plan::node::{Edge, Node};
use crate::refusal::own_error::OwnErrorData;
use crate::refusal::rejection::Rejection;
use crate::scheme::config::SchemeConfig;

/// The requirement of a handler: every scheme that its chain reaches, with the scopes gathered on
/// the path to it.
///
/// [`operation!(handler)`](crate::operation!) creates it for a handler,
/// [`Plan::operation`](crate::Plan::operation) for a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The ways to satisfy the requirement. Each lists schemes that must all pass.
    alternatives: Vec<Vec<Reached>>,
    /// `true` if a request may have the credential of no alternative.
    may_be_absent: bool,
    /// The statuses of refusals for a missing scope.
    insufficient_scope: BTreeSet<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Reached {
    scheme: &'static SchemeConfig,
    scopes: Vec<&'static str>,
    /// `true` if a wrong credential counts as none.
    is_lenient: bool,
}

/// The [Security Requirement Object]: schemes that must all pass, each with its scopes.
///
/// [Security Requirement Object]:
/// https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object
pub type SecurityRequirement = BTreeMap<String, Vec<String>>;

impl Operation {
    /// Returns the requirement of a scheme or dependency by itself, as for a handler that takes it
    /// as an extractor.
    #[must_use]
    pub fn of<D: Dependency>() -> Self {
        Self::of_node(D::NODE, &[])
    }

    /// Returns the requirement of a node that is itself required with `scopes`.
    pub(crate) fn of_node(node: &'static Node, scopes: &[&'static str]) -> Self {
        let mut branches = vec![Branch::default()];
        let path = Gathered::from(scopes);
        add(&mut branches, node, &path, &mut scopes.to_vec());
        Self {
            alternatives: branches.into_iter().map(|branch| branch.reached).collect(),
            may_be_absent: refuses_absent(node),
            insufficient_scope: insufficient_scope(node, !scopes.is_empty()),
        }
    }

    /// Combines two requirements. Both must pass.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        let mut alternatives = Vec::new();
        for left in &self.alternatives {
            for right in &other.alternatives {
                let mut both = left.clone();
                for reached in right {
                    reach(&mut both, reached);
                }
                alternatives.push(both);
            }
        }
        Self {
            alternatives,
            may_be_absent: self.may_be_absent || other.may_be_absent,
            insufficient_scope: &self.insufficient_scope | &other.insufficient_scope,
        }
    }

    /// Returns the schemes that the chain reaches, each once.
    pub fn schemes(&self) -> impl Iterator<Item = &'static SchemeConfig> {
        let mut schemes: Vec<&SchemeConfig> = Vec::new();
        for reached in self.alternatives.iter().flatten() {
            if !schemes.contains(&reached.scheme) {
                schemes.push(reached.scheme);
            }
        }
        schemes.into_iter()
    }

    /// Returns `true` if a wrong credential of a scheme counts as none wherever it is reached.
    fn is_lenient(&self, scheme: &SchemeConfig) -> bool {
        let reached = self.alternatives.iter().flatten();
        let mut reached = reached.filter(|reached| reached.scheme == scheme);
        reached.all(|reached| reached.is_lenient)
    }

    /// Returns the `security` of the operation: a list of alternatives, one of which must pass. The
    /// list is empty if no scheme is reached.
    ///
    /// The schemes of an alternative form one requirement. If one of them has `auto_error = false`,
    /// its required schemes alone form another one.
    #[must_use]
    pub fn security(&self) -> Vec<SecurityRequirement> {
        let security = self.alternatives().into_iter();
        security.map(BTreeMap::from_iter).collect()
    }

    fn alternatives(&self) -> Vec<Alternative> {
        let mut security: Vec<Alternative> = Vec::new();
        for alternative in &self.alternatives {
            for requirement in [
                requirement(alternative, |_| true),
                requirement(alternative, |scheme| scheme.auto_error),
            ] {
                if !security.iter().any(|other| is_same(other, &requirement)) {
                    security.push(requirement);
                }
            }
        }
        if security.iter().all(Vec::is_empty) {
            security.clear();
        }
        security
    }

    /// Returns the [Responses Object](https://spec.openapis.org/oas/v3.1.1.html#responses-object)
    /// for refused requests, by status: the rejections of the schemes, and the refusal of a token
    /// that does not grant the scopes if a scheme of the chain declares a realm or a resource.
    ///
    /// They are those of any method. [`responses_to`](Self::responses_to) leaves out those that a
    /// method cannot cause.
    #[must_use]
    pub fn responses(&self) -> BTreeMap<String, Rejection> {
        without_errors(self.responses_because(|_| true))
    }

    /// Returns the responses to refused requests with this method. A scheme of a cookie refuses no
    /// `GET`, `HEAD` and `OPTIONS` request because of the site that it is from.
    #[must_use]
    pub fn responses_to(&self, method: &Method) -> BTreeMap<String, Rejection> {
        without_errors(self.answers_to(method))
    }

    fn answers_to(&self, method: &Method) -> Answers {
        let is_safe = is_safe(method.as_str());
        self.responses_because(|reason| !(is_safe && reason == RejectionReason::CrossSite))
    }

    /// Returns the responses by status, each with the error type of the service that answers in
    /// place of the scheme.
    fn responses_because(&self, occurs: impl Fn(RejectionReason) -> bool) -> Answers {
        let of_schemes = self.schemes().flat_map(|scheme| {
            let is_lenient = self.is_lenient(scheme);
            let reasons = scheme.reasons().filter(|reason| occurs(*reason));
            let rejections = reasons.map(|reason| scheme.rejection_of(reason));
            let occurring = rejections.filter(move |rejection| {
                !(is_lenient && refuses_credential(rejection.status().as_u16()))
            });
            occurring.map(|rejection| (rejection, scheme.own_error))
        });
        // What is refused above the schemes is in their format.
        let own_error = self.schemes().find_map(|scheme| scheme.own_error);
        let absent = self.may_be_absent.then_some(Rejection::NOT_AUTHENTICATED);
        let has_space = self.schemes().any(SchemeConfig::has_space);
        let statuses = self.insufficient_scope.iter().filter(|_| has_space);
        let insufficient = statuses.filter_map(|status| Rejection::insufficient_scope(*status));
        let above = absent.into_iter().chain(insufficient);
        let mut answers = Answers::new();
        for (rejection, error) in of_schemes.chain(above.map(|above| (above, own_error))) {
            let status = rejection.status().as_str().to_owned();
            let (documented, of) = answers.entry(status).or_insert((rejection, error));
            // Of two for one status, the one with a challenge says more.
            if !documented.has_challenge() && rejection.has_challenge() {
                (*documented, *of) = (rejection, error);
            }
        }
        answers
    }
}

/// The responses to refused requests by status, each with the error type of the service that
/// answers in place of the scheme.
type Answers = BTreeMap<String, (Rejection, Option<OwnErrorData>)>;

fn without_errors(answers: Answers) -> BTreeMap<String, Rejection> {
    let answers = answers.into_iter();
    answers
        .map(|(status, (rejection, _))| (status, rejection))
        .collect()
}

impl<D: Dependency> Plan<D> {
    /// Returns the requirement for the API description.
    #[must_use]
    pub fn operation(self) -> Operation {
        Operation::of_node(D::NODE, self.scopes().scopes())
    }
}

/// Serializes into an operation's own part of a description: `security`, and the `responses` of any
/// method.
impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut operation = Object::default();
        let security = self.alternatives();
        if !security.is_empty() {
            operation.push("security", security_of(&security));
        }
        operation.push("responses", described(&self.responses_because(|_| true)));
        Tree::Object(operation).serialize(serializer)
    }
}

/// Returns the responses as they are described.
fn described(answers: &Answers) -> Tree {
    let mut responses = Object::default();
    for error in answers.values().filter_map(|(_, error)| *error) {
        own_error::add_redirects(error, &mut responses);
    }
    for (status, (rejection, error)) in answers {
        let response = match error {
            None => Some(scheme::response(rejection)),
            Some(error) => own_error::response(*error, rejection),
        };
        if let Some(response) = response {
            responses.add(status, response);
        }
    }
    Tree::Object(responses)
}

/// The requirement of an operation, in the form that a description uses.
#[derive(Clone)]
pub(crate) struct Requirement {
    /// The schemes, by name. Two of one name may differ.
    pub(super) schemes: Object,
    pub(super) security: Vec<Alternative>,
    /// The responses to refused requests with a method that changes something, by status.
    responses: Object,
    /// The responses to refused requests with a safe method.
    safe_responses: Object,
    /// The schemas that the responses refer to, by name.
    pub(super) schemas: Object,
    /// The schemes with a setting that cannot be used, each with the reason. Their descriptions are
    /// not complete.
    unset: Object,
}

impl Requirement {
    pub(crate) fn of(operation: &Operation) -> Self {
        let (mut schemes, mut unset) = (Object::default(), Object::default());
        for config in operation.schemes() {
            let mut fault = None;
            schemes.push(config.scheme_name, scheme::scheme(config, &mut fault));
            if let Some(error) = fault {
                unset.push(config.scheme_name, error.to_string().into());
            }
        }
        let mut schemas = Object::default();
        for error in operation.schemes().filter_map(|scheme| scheme.own_error) {
            own_error::add_components(error, &mut schemas);
        }
        let responses = |method| described(&operation.answers_to(method)).into_object();
        Self {
            schemes,
            security: operation.alternatives(),
            responses: responses(&Method::POST),
            safe_responses: responses(&Method::GET),
            schemas,
            unset,
        }
    }

    /// Returns the error for each scheme whose description is not complete.
    pub(super) fn unset(&self) -> impl Iterator<Item = DocumentError> {
        self.unset.iter().map(|(scheme, reason)| {
            let reason = reason.as_str().unwrap_or_default();
            DocumentError::Setting {
                scheme: scheme.to_owned(),
                reason: reason.to_owned(),
            }
        })
    }

    /// Returns the responses to refused requests with this method, in any case.
    pub(super) fn responses_to(&self, method: &str) -> &Object {
        if is_safe(&method.to_ascii_uppercase()) {
            &self.safe_responses
        } else {
            &self.responses
        }
    }

    /// Returns everything that a description needs to know, as JSON that a utoipa operation can
    /// carry.
    #[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
    pub(crate) fn packed(self) -> impl Serialize {
        let security = security_of(&self.security);
        Tree::object([
            ("schemes", Tree::Object(self.schemes)),
            ("security", security),
            ("responses", Tree::Object(self.responses)),
            ("safeResponses", Tree::Object(self.safe_responses)),
            ("schemas", Tree::Object(self.schemas)),
            ("unset", Tree::Object(self.unset)),
        ])
        .packed()
    }

    /// Reads the requirement that an operation carries. Returns `None` if it is not one.
    pub(super) fn unpacked(carried: Tree) -> Option<Self> {
        let carried = carried.unpacked()?;
        let object = |name| carried.get(name)?.as_object().cloned();
        Some(Self {
            schemes: object("schemes")?,
            security: alternatives_of(carried.get("security")?)?,
            responses: object("responses")?,
            safe_responses: object("safeResponses")?,
            schemas: object("schemas")?,
            unset: object("unset")?,
        })
    }
}

/// A [`SecurityRequirement`] whose schemes are in order.
pub(super) type Alternative = Vec<(String, Vec<String>)>;

/// Reads the `security` of an operation.
pub(super) fn alternatives_of(security: &Tree) -> Option<Vec<Alternative>> {
    let alternatives = security.as_array()?.iter().map(|alternative| {
        let schemes = alternative.as_object()?.iter().map(|(name, scopes)| {
            let scopes = scopes
                .as_array()?
                .iter()
                .map(|scope| scope.as_str().map(str::to_owned));
            Some((name.to_owned(), scopes.collect::<Option<_>>()?))
        });
        schemes.collect()
    });
    alternatives.collect()
}

/// Returns the `security` of an operation.
pub(super) fn security_of(alternatives: &[Alternative]) -> Tree {
    let alternatives = alternatives.iter().map(|alternative| {
        let schemes = alternative.iter().map(|(name, scopes)| {
            let scopes = scopes.iter().map(|scope| scope.as_str().into());
            (name.clone(), scopes.collect())
        });
        Tree::Object(schemes.collect())
    });
    alternatives.collect()
}

/// A way to satisfy the requirement, while the tree is walked.
#[derive(Clone, Default)]
struct Branch {
    reached: Vec<Reached>,
    /// The lists of alternatives on the way, each with the number of the chosen one. A request
    /// means the same one wherever the list is reached.
    chosen: Vec<(&'static Node, Option<usize>)>,
    /// `true` below an alternative whose wrong credential counts as none.
    is_lenient: bool,
}

/// Adds the schemes below a node to each branch. `scopes` are the scopes gathered on the path to
/// the node.
fn add(
    branches: &mut Vec<Branch>,
    node: &'static Node,
    path: &Gathered<'_>,
    scopes: &mut Vec<&'static str>,
) {
    if let Some(scheme) = node.as_scheme() {
        for branch in &mut *branches {
            let reached = Reached {
                scheme,
                scopes: scopes.clone(),
                is_lenient: branch.is_lenient,
            };
            reach(&mut branch.reached, &reached);
        }
    }
    if !node.is_one_of() {
        for edge in node.edges() {
            add_edge(branches, edge, path, scopes);
        }
        return;
    }
    for branch in core::mem::take(branches) {
        let is_lenient = branch.is_lenient;
        let choices: Vec<_> = match branch.chosen.iter().find(|(list, _)| list.is_like(node)) {
            Some((_, chosen)) => vec![*chosen],
            None => {
                let alternatives = (0..node.edges().len()).map(Some);
                alternatives
                    .chain(node.has_empty().then_some(None))
                    .collect()
            }
        };
        for choice in choices {
            let edge = choice.and_then(|number| node.edges().get(number));
            let mut chosen = branch.clone();
            chosen.chosen.push((node, choice));
            chosen.is_lenient |= edge.is_some_and(Edge::is_lenient);
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

/// Returns the statuses with which a node and those below it refuse a token that does not grant the
/// scopes. `is_required` is `true` if a scope is required on the path to the node.
fn insufficient_scope(node: &Node, is_required: bool) -> BTreeSet<u16> {
    let own = node.insufficient_scope().filter(|_| is_required);
    let below = node.edges().iter().flat_map(|edge| {
        let is_required = is_required && !edge.is_unscoped() || !edge.scopes().is_empty();
        insufficient_scope(edge.node(), is_required)
    });
    own.into_iter().chain(below).collect()
}

/// Returns `true` if a node refuses a request because it has the credential of no alternative.
fn refuses_absent(node: &Node) -> bool {
    node.refuses_absent() || node.edges().iter().any(|edge| refuses_absent(edge.node()))
}

fn add_edge(
    branches: &mut Vec<Branch>,
    edge: &'static Edge,
    path: &Gathered<'_>,
    scopes: &mut Vec<&'static str>,
) {
    if edge.is_unscoped() {
        let mut own = edge.scopes().to_vec();
        return add(
            branches,
            edge.node(),
            &Gathered::from(edge.scopes()),
            &mut own,
        );
    }
    let path = path.below(edge.scopes());
    let before = scopes.len();
    let required = edge.scopes().iter().enumerate();
    scopes.extend(
        required
            .filter(|(index, _)| path.adds(*index))
            .map(|(_, scope)| scope),
    );
    add(branches, edge.node(), &path, scopes);
    scopes.truncate(before);
}

fn reach(alternative: &mut Vec<Reached>, reached: &Reached) {
    let mut others = alternative.iter_mut();
    match others.find(|other| other.scheme == reached.scheme) {
        Some(other) => {
            merge(&mut other.scopes, &reached.scopes);
            other.is_lenient &= reached.is_lenient;
        }
        None => alternative.push(reached.clone()),
    }
}

fn requirement(reached: &[Reached], has: impl Fn(&SchemeConfig) -> bool) -> Alternative {
    let mut requirement = Alternative::new();
    for Reached { scheme, scopes, .. } in reached.iter().filter(|reached| has(reached.scheme)) {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned());
        require(&mut requirement, scheme.scheme_name, Vec::from_iter(scopes));
    }
    requirement
}

/// Adds a scheme with its scopes to an alternative.
fn require(alternative: &mut Alternative, name: &str, scopes: Vec<String>) {
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

/// Returns the alternatives that satisfy both lists. An empty list requires nothing.
pub(super) fn both(first: Vec<Alternative>, second: &[Alternative]) -> Vec<Alternative> {
    if first.is_empty() || second.is_empty() {
        return [&first, second].concat();
    }
    let mut alternatives: Vec<Alternative> = Vec::new();
    for left in &first {
        for right in second {
            let mut together = left.clone();
            for (name, scopes) in right {
                require(&mut together, name, scopes.clone());
            }
            if !alternatives.iter().any(|other| is_same(other, &together)) {
                alternatives.push(together);
            }
        }
    }
    alternatives
}

/// Returns `true` if two alternatives name the same schemes with the same scopes, in any order.
fn is_same(first: &Alternative, second: &Alternative) -> bool {
    first.len() == second.len()
        && first.iter().all(|(name, scopes)| {
            let found = second.iter().find(|(other, _)| other == name);
            found.is_some_and(|(_, others)| {
                scopes.iter().all(|scope| others.contains(scope))
                    && others.iter().all(|scope| scopes.contains(scope))
            })
        })
}
