//! The requirement of a handler, as part of its operation in the description.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::{DocumentError, EXTENSION};
use crate::plan::gathered::Gathered;
use crate::plan::node::Node;
use crate::scheme::authorization::RejectionReason;
use crate::{Dependency, Plan, Rejection, SchemeConfig};

/// The requirement of a handler: every scheme that its chain reaches, with the scopes gathered on
/// the path to it.
///
/// [`operation!(handler)`](crate::operation!) creates it for a handler,
/// [`Plan::operation`](crate::Plan::operation) for a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    reached: Vec<Reached>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Reached {
    scheme: SchemeConfig,
    scopes: Vec<&'static str>,
}

/// The [Security Requirement Object]: schemes that must all pass, each with its scopes.
///
/// [Security Requirement Object]: https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object
pub type SecurityRequirement = BTreeMap<String, Vec<String>>;

impl Operation {
    /// Returns the requirement of a scheme or dependency by itself, as for a handler that takes it
    /// as an extractor.
    #[must_use]
    pub fn of<D: Dependency>() -> Self {
        Self::of_node(D::NODE, &[])
    }

    /// Returns the requirement of a node that is itself required with `scopes`.
    pub(crate) fn of_node(node: &Node, scopes: &[&'static str]) -> Self {
        let mut operation = Self {
            reached: Vec::new(),
        };
        operation.add(node, &Gathered::from(scopes), &mut scopes.to_vec());
        operation
    }

    /// Adds the schemes below a node. `scopes` are the scopes gathered on the path to it.
    fn add(&mut self, node: &Node, path: &Gathered<'_>, scopes: &mut Vec<&'static str>) {
        if let Some(scheme) = node.as_scheme() {
            self.reach(scheme, scopes);
        }
        for edge in node.edges() {
            let path = path.below(edge.scopes());
            let before = scopes.len();
            let required = edge.scopes().iter().enumerate();
            scopes.extend(
                required
                    .filter(|(index, _)| path.adds(*index))
                    .map(|(_, scope)| scope),
            );
            self.add(edge.node(), &path, scopes);
            scopes.truncate(before);
        }
    }

    /// Combines two requirements. Both must pass.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for Reached { scheme, scopes } in &other.reached {
            self.reach(scheme, scopes);
        }
        self
    }

    fn reach(&mut self, scheme: &SchemeConfig, scopes: &[&'static str]) {
        let found = self
            .reached
            .iter_mut()
            .find(|reached| reached.scheme == *scheme);
        match found {
            Some(reached) => merge(&mut reached.scopes, scopes),
            None => self.reached.push(Reached {
                scheme: *scheme,
                scopes: scopes.to_vec(),
            }),
        }
    }

    /// Returns the schemes that the chain reaches.
    pub fn schemes(&self) -> impl Iterator<Item = &SchemeConfig> {
        self.reached.iter().map(|reached| &reached.scheme)
    }

    /// Returns the `security` of the operation: a list of alternatives, one of which must pass. The
    /// list is empty if no scheme is reached.
    ///
    /// All schemes together form one requirement. If a scheme has `auto_error = false`, the
    /// required schemes alone form a second one.
    #[must_use]
    pub fn security(&self) -> Vec<SecurityRequirement> {
        let all = requirement(&self.reached, |_| true);
        let required = requirement(&self.reached, |scheme| scheme.auto_error);
        if all == required {
            return Vec::from_iter((!all.is_empty()).then_some(all));
        }
        vec![all, required]
    }

    /// Returns the [Responses Object](https://spec.openapis.org/oas/v3.1.1.html#responses-object)
    /// for the rejections of the schemes, by status.
    #[must_use]
    pub fn responses(&self) -> BTreeMap<String, Rejection> {
        let mut responses = BTreeMap::new();
        for scheme in self.schemes().filter(|scheme| scheme.auto_error) {
            for reason in RejectionReason::ALL {
                let rejection = scheme.rejection_of(reason);
                responses
                    .entry(rejection.status().as_str().to_owned())
                    .or_insert(rejection);
            }
        }
        responses
    }
}

impl<D: Dependency> Plan<D> {
    /// Returns the requirement for the API description.
    #[must_use]
    pub fn operation(self) -> Operation {
        Operation::of_node(D::NODE, self.scopes())
    }
}

/// Serializes into an operation's own part of a description: `security` and `responses`.
impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut operation = json!({ "responses": self.responses() });
        if !self.reached.is_empty() {
            operation["security"] = json!(self.security());
        }
        operation.serialize(serializer)
    }
}

/// Returns everything that a description needs to know about an operation, as JSON that the
/// operation can carry.
#[cfg(feature = "utoipa6")]
pub(crate) fn extension(operation: &Operation) -> Value {
    let schemes = operation.schemes();
    let schemes: Value = schemes
        .map(|scheme| json!([scheme.scheme_name, scheme]))
        .collect();
    json!({ "schemes": schemes, "security": operation.security(), "responses": operation.responses() })
}

/// The requirement of an operation, in the form that a description uses.
pub(super) struct Requirement {
    pub(super) schemes: Vec<(String, Value)>,
    pub(super) security: Vec<SecurityRequirement>,
    pub(super) responses: BTreeMap<String, Value>,
}

impl Requirement {
    /// Reads the requirement that an operation carries.
    pub(super) fn read(mut carried: Value) -> Result<Self, DocumentError> {
        fn member<T: DeserializeOwned>(of: &mut Value, name: &str) -> Result<T, DocumentError> {
            T::deserialize(of[name].take())
                .map_err(|_| DocumentError::Invalid(format!("{EXTENSION}: {name}")))
        }
        Ok(Self {
            schemes: member(&mut carried, "schemes")?,
            security: member(&mut carried, "security")?,
            responses: member(&mut carried, "responses")?,
        })
    }
}

fn requirement(reached: &[Reached], has: impl Fn(&SchemeConfig) -> bool) -> SecurityRequirement {
    let mut requirement = SecurityRequirement::new();
    for Reached { scheme, scopes } in reached.iter().filter(|reached| has(&reached.scheme)) {
        let scopes = scopes.iter().map(|scope| (*scope).to_owned());
        merge(
            requirement
                .entry(scheme.scheme_name.to_owned())
                .or_default(),
            &Vec::from_iter(scopes),
        );
    }
    requirement
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
pub(crate) fn both(
    first: Vec<SecurityRequirement>,
    second: Vec<SecurityRequirement>,
) -> Vec<SecurityRequirement> {
    if first.is_empty() || second.is_empty() {
        return [first, second].concat();
    }
    let mut alternatives: Vec<SecurityRequirement> = Vec::new();
    for left in &first {
        for right in &second {
            let mut together = left.clone();
            for (name, scopes) in right {
                merge(together.entry(name.clone()).or_default(), scopes);
            }
            if !alternatives.iter().any(|other| is_same(other, &together)) {
                alternatives.push(together);
            }
        }
    }
    alternatives
}

/// Returns `true` if two requirements name the same schemes with the same scopes, in any order.
fn is_same(first: &SecurityRequirement, second: &SecurityRequirement) -> bool {
    first.len() == second.len()
        && first.iter().all(|(name, scopes)| {
            second.get(name).is_some_and(|others| {
                scopes.iter().all(|scope| others.contains(scope))
                    && others.iter().all(|scope| scopes.contains(scope))
            })
        })
}
