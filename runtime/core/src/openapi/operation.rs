//! The requirement of a handler, as part of its operation in the description.

#[cfg(feature = "testing")]
use core::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};

use http::{Method, StatusCode};
use serde::{Serialize, Serializer};

use crate::credential::reason::RejectionReason;
use crate::credential::same_site::is_safe;
use crate::dependency::Dependency;
use crate::dependency::plan::Plan;
#[cfg(feature = "testing")]
use crate::dependency::probe::plan_name;
use crate::openapi::{DocumentError, VIA, deciding, scheme};
use crate::plan::alternatives::{Alternative, Alternatives, is_same, require};
use crate::plan::arguments::Arguments;
use crate::plan::decisions::{Decision, decisions, merge, via};
use crate::plan::node::Node;
use crate::plan::table::HasPlan;
use crate::refusal::challenge::Challenge;
use crate::refusal::own_error::data::OwnErrorData;
use crate::refusal::rejection::Rejection;
use crate::refusal::status::refuses_credential;
use crate::scheme::config::SchemeConfig;
use crate::syntax::json::tree::{Object, Tree};

/// The requirement of a handler: every scheme that its chain reaches, with the scopes gathered on
/// the path to it.
///
/// `operation!(handler)` creates it for a handler,
/// [`Plan::operation`](crate::Plan::operation) for a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    alternatives: Alternatives,
    /// The reason why the handler is public, if it is.
    reason: Option<&'static str>,
    /// `true` if a node above the schemes refuses a request that has no credential.
    may_be_absent: bool,
    /// The statuses of refusals for a missing scope.
    insufficient_scope: BTreeSet<u16>,
    /// The dependencies that check more than the schemes say.
    decisions: Vec<Decision>,
    /// `true` if a dependency takes an extractor of the framework.
    has_extractor: bool,
    /// The handler's plan, if it is one of a secured handler.
    #[cfg(feature = "testing")]
    plan: Option<TypeId>,
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
        Self::of_node(D::NODE, &[], None)
    }

    /// Returns the requirement of a node that is itself required with these scopes and arguments.
    pub(crate) fn of_node(
        node: &'static Node,
        scopes: &[&'static str],
        arguments: Option<&Arguments>,
    ) -> Self {
        Self {
            alternatives: Alternatives::of(node, scopes, arguments),
            reason: None,
            may_be_absent: refuses_absent(node),
            insufficient_scope: insufficient_scope(node, !scopes.is_empty()),
            decisions: decisions(node, arguments),
            has_extractor: node.has_extractor(),
            #[cfg(feature = "testing")]
            plan: None,
        }
    }

    /// Returns the requirement of a handler. `P` is the first marker of its plan.
    pub(crate) fn of_handler<P: HasPlan>() -> Self {
        Self {
            reason: P::REASON,
            #[cfg(feature = "testing")]
            plan: P::REASON.is_none().then(TypeId::of::<P>),
            ..Self::of_node(P::ROOT, &[], None)
        }
    }

    /// Combines two requirements. Both must pass.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        let mut decisions = self.decisions;
        for decision in &other.decisions {
            merge(decision.clone(), &mut decisions);
        }
        Self {
            decisions,
            has_extractor: self.has_extractor || other.has_extractor,
            alternatives: self.alternatives.and(&other.alternatives),
            reason: self.reason.and(other.reason),
            may_be_absent: self.may_be_absent || other.may_be_absent,
            insufficient_scope: &self.insufficient_scope | &other.insufficient_scope,
            #[cfg(feature = "testing")]
            plan: self.plan.or(other.plan),
        }
    }

    /// Returns the schemes that the chain reaches, each once.
    pub fn schemes(&self) -> impl Iterator<Item = &'static SchemeConfig> {
        let mut schemes: Vec<&SchemeConfig> = Vec::new();
        for reached in self.alternatives.reached() {
            if !schemes.contains(&reached.scheme) {
                schemes.push(reached.scheme);
            }
        }
        schemes.into_iter()
    }

    /// Returns the dependencies that check more than the schemes say, each once, outermost first:
    /// dependencies with arguments, such as `role(Admin)`, ones that may refuse a credential which
    /// is already checked, and ones without a scheme, as in the table of [routes](crate::routes).
    pub fn via(&self) -> impl Iterator<Item = &str> {
        via(&self.decisions, self.alternatives.reached().next().is_some())
    }

    /// Returns `true` if a wrong credential of a scheme counts as none wherever it is reached.
    fn is_lenient(&self, scheme: &SchemeConfig) -> bool {
        let reached = self.alternatives.reached();
        let mut reached = reached.filter(|reached| reached.scheme == scheme);
        reached.all(|reached| reached.is_lenient)
    }

    /// Returns the `security` of the operation: a list of alternatives, one of which must pass. The
    /// list is empty if no scheme is reached.
    ///
    /// The schemes of an alternative form one requirement. If one of them has `auto_error = false`,
    /// its required schemes form another one by themselves.
    #[must_use]
    pub fn security(&self) -> Vec<SecurityRequirement> {
        let security = self.alternatives.named().into_iter();
        security.map(BTreeMap::from_iter).collect()
    }

    /// Returns the [Responses Object](https://spec.openapis.org/oas/v3.1.1.html#responses-object)
    /// for refused requests, by status: the rejections of the schemes, and the refusal of a token
    /// that does not grant the scopes if a scheme of the chain declares a realm or a resource.
    ///
    /// The refusals of a dependency with arguments are separate responses, so they are only in a
    /// [`Document`](crate::openapi::Document).
    ///
    /// They are for any method. [`responses_to`](Self::responses_to) leaves out the ones that a
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
        let absent = self.may_be_absent.then_some(match self.has_challenge() {
            true => Rejection::NOT_AUTHENTICATED,
            false => Rejection::NOT_AUTHENTICATED.challenged_by(Challenge::None),
        });
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
/// answers instead of the scheme.
type Answers = BTreeMap<String, (Rejection, Option<OwnErrorData>)>;

fn without_errors(answers: Answers) -> BTreeMap<String, Rejection> {
    let answers = answers.into_iter();
    answers.map(|(status, (rejection, _))| (status, rejection)).collect()
}

impl<D: Dependency> Plan<D> {
    /// Returns the requirement for the API description.
    #[must_use]
    pub fn operation(self) -> Operation {
        Operation::of_node(D::NODE, self.scopes().scopes(), self.arguments())
    }
}

/// Serializes into an operation's own part of a description: `security`, and the `responses` of any
/// method. A public operation has an empty `security`, and a `description` with the reason. The
/// extension `x-via` lists the dependencies that check more than the schemes say.
impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut operation = Object::default();
        let security = self.alternatives.named();
        if !security.is_empty() {
            operation.push("security", security_of(&security));
        } else if let Some(reason) = self.reason {
            operation.push("security", security_of(&[]));
            operation.push("description", with_reason(None, reason).into());
        }
        if let Some(via) = listed(self.via()) {
            operation.push(VIA, via);
        }
        let mut responses = self.described(&self.responses_because(|_| true));
        for (status, names) in deciding::by_status(&self.decisions).iter() {
            responses.update_object(status, |response| {
                deciding::add(response, None, status, names);
            });
        }
        operation.push("responses", Tree::Object(responses));
        Tree::Object(operation).serialize(serializer)
    }
}

impl Operation {
    /// Returns `true` if a `401` of a dependency has the challenge of a scheme below it.
    fn has_challenge(&self) -> bool {
        let reason = RejectionReason::Missing;
        self.schemes()
            .any(|scheme| scheme.has_challenge && scheme.rejection_of(reason).has_challenge())
    }

    /// Returns the responses as they are described, without the names of the dependencies that
    /// decide about them.
    fn described(&self, answers: &Answers) -> Object {
        let mut responses = Object::default();
        for error in answers.values().filter_map(|(_, error)| *error) {
            error.description.add_redirects(&mut responses);
        }
        for (status, (rejection, error)) in answers {
            let standard = scheme::response(rejection);
            let response = match error {
                None => Some(Tree::Object(standard)),
                Some(error) => error.response(status, standard),
            };
            if let Some(response) = response {
                responses.add(status, response);
            }
        }
        let statuses = self.decisions.iter().filter_map(|decision| decision.refuses_with);
        for status in statuses.filter_map(|status| StatusCode::from_u16(status).ok()) {
            let mut response = scheme::described(status);
            if status == StatusCode::UNAUTHORIZED && self.has_challenge() {
                response.make_object().add("headers", scheme::challenge_header());
            }
            responses.add(status.as_str(), response);
        }
        responses
    }
}

/// The requirement of an operation, in the form that a description uses.
#[derive(Clone)]
pub(crate) struct Requirement {
    /// The schemes, by name. Two of one name may differ.
    pub(super) schemes: Object,
    pub(super) security: Vec<Alternative>,
    /// The dependencies that check more than the schemes say.
    via: Vec<String>,
    /// The reason why the operation is public, if it is.
    pub(super) reason: Option<String>,
    /// The responses to refused requests with a method that changes something, by status.
    pub(super) responses: Object,
    /// The responses to refused requests with a safe method.
    pub(super) safe_responses: Object,
    /// The names of the dependencies that decide about refusals, by status.
    pub(super) deciding: Object,
    /// The schemas that the responses refer to, by name.
    pub(super) schemas: Object,
    /// The schemes with a setting that cannot be used, each with the reason. Their descriptions are
    /// not complete.
    unset: Object,
    /// `true` if a dependency takes an extractor of the framework.
    has_extractor: bool,
    /// The name of the handler's plan, if it is one of a secured handler.
    #[cfg(feature = "testing")]
    pub(super) plan: Option<String>,
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
            error.description.add_components(&mut schemas);
        }
        let responses = |method| operation.described(&operation.answers_to(method));
        Self {
            schemes,
            security: operation.alternatives.named(),
            via: operation.via().map(str::to_owned).collect(),
            reason: operation.reason.map(str::to_owned),
            responses: responses(&Method::POST),
            safe_responses: responses(&Method::GET),
            deciding: deciding::by_status(&operation.decisions),
            schemas,
            unset,
            has_extractor: operation.has_extractor,
            #[cfg(feature = "testing")]
            plan: operation.plan.map(plan_name),
        }
    }

    /// Returns the extension of an operation that has `written` there, if there is anything to add.
    pub(super) fn via_beside(&self, written: Option<&Tree>) -> Option<Tree> {
        let mut via = written.map(Tree::texts).unwrap_or_default();
        let before = via.len();
        via.extend(self.via.iter().filter(|name| !via.contains(name)).cloned().collect::<Vec<_>>());
        (via.len() > before).then(|| via.iter().map(|name| name.as_str().into()).collect())
    }

    /// Returns the parameters in a path that a dependency may take and that are not declared.
    /// `declared` are the lists of parameters that are written for it.
    pub(super) fn parameters_of(&self, path: &str, declared: &[Option<Tree>]) -> Vec<Tree> {
        if !self.has_extractor {
            return Vec::new();
        }
        let declared = declared.iter().flatten().filter_map(Tree::as_array);
        let declared = Vec::from_iter(declared.flatten());
        let is_declared = |name: &str| {
            declared.iter().any(|parameter| {
                let is = |member: &str, value: &str| {
                    parameter.get(member).and_then(Tree::as_str) == Some(value)
                };
                // A reference is not followed, so it may be the declaration.
                parameter.get("$ref").is_some() || is("in", "path") && is("name", name)
            })
        };
        let names = path.split('{').skip(1);
        let names = names.filter_map(|after| Some(after.split_once('}')?.0));
        let undeclared = names.filter(|name| !is_declared(name));
        undeclared.map(parameter_of_path).collect()
    }

    /// Returns the error for each scheme whose description is not complete.
    pub(super) fn unset(&self) -> impl Iterator<Item = DocumentError> {
        self.unset.iter().map(|(scheme, reason)| {
            let reason = reason.as_str().unwrap_or_default();
            DocumentError::Setting { scheme: scheme.to_owned(), reason: reason.to_owned() }
        })
    }

    /// Returns the responses to refused requests with this method, in any case.
    pub(super) fn responses_to(&self, method: &str) -> &Object {
        if is_safe(&method.to_ascii_uppercase()) { &self.safe_responses } else { &self.responses }
    }

    /// Returns everything that a description needs to know, as JSON in a text, which a utoipa
    /// operation carries unchanged: its maps are sorted, and its numbers are those of Rust.
    #[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
    pub(crate) fn packed(self) -> String {
        let security = security_of(&self.security);
        let carried = Tree::object([
            ("schemes", Tree::Object(self.schemes)),
            ("security", security),
            ("via", listed(self.via.iter().map(String::as_str)).unwrap_or(Tree::Null)),
            ("reason", self.reason.map_or(Tree::Null, Tree::from)),
            ("responses", Tree::Object(self.responses)),
            ("safeResponses", Tree::Object(self.safe_responses)),
            ("deciding", Tree::Object(self.deciding)),
            ("schemas", Tree::Object(self.schemas)),
            ("unset", Tree::Object(self.unset)),
            ("hasExtractor", self.has_extractor.into()),
            #[cfg(feature = "testing")]
            ("plan", self.plan.map_or(Tree::Null, Tree::from)),
        ]);
        serde_json::to_string(&carried).unwrap_or_default()
    }

    /// Reads the requirement that an operation carries. Returns `None` if it is not one.
    pub(super) fn unpacked(carried: Tree) -> Option<Self> {
        let carried = Tree::parse(carried.as_str()?).ok()?;
        let object = |name| carried.get(name)?.as_object().cloned();
        Some(Self {
            schemes: object("schemes")?,
            security: alternatives_of(carried.get("security")?)?,
            via: carried.get("via").map(Tree::texts).unwrap_or_default(),
            reason: carried.get("reason").and_then(Tree::as_str).map(str::to_owned),
            responses: object("responses")?,
            safe_responses: object("safeResponses")?,
            deciding: object("deciding")?,
            schemas: object("schemas")?,
            unset: object("unset")?,
            has_extractor: matches!(carried.get("hasExtractor")?, Tree::Bool(true)),
            #[cfg(feature = "testing")]
            plan: carried.get("plan").and_then(Tree::as_str).map(str::to_owned),
        })
    }
}

/// The [Parameter Object](https://spec.openapis.org/oas/v3.1.1.html#parameter-object) of a part of
/// the path. Its type is the dependency's own, so the schema is what every path has: text.
fn parameter_of_path(name: &str) -> Tree {
    Tree::object([
        ("name", name.into()),
        ("in", "path".into()),
        ("required", true.into()),
        ("schema", Tree::object([("type", "string".into())])),
    ])
}

/// Returns the description of a public operation, which says why it is public.
pub(super) fn with_reason(description: Option<&str>, reason: &str) -> String {
    match description {
        Some(description) => format!("{description}\n\n{PUBLIC}{reason}"),
        None => format!("{PUBLIC}{reason}"),
    }
}

/// Returns the reason that is the last paragraph of a description.
pub(super) fn reason_in(description: &str) -> Option<&str> {
    let last = description.trim_end().rsplit("\n\n").next()?;
    let reason = last.trim_start().strip_prefix(PUBLIC)?;
    Some(reason).filter(|reason| !reason.trim().is_empty())
}

/// Precedes the reason in a description.
const PUBLIC: &str = "Public: ";

/// Reads the `security` of an operation.
pub(super) fn alternatives_of(security: &Tree) -> Option<Vec<Alternative>> {
    let alternatives = security.as_array()?.iter().map(|alternative| {
        let schemes = alternative.as_object()?.iter().map(|(name, scopes)| {
            let scopes = scopes.as_array()?.iter().map(|scope| scope.as_str().map(str::to_owned));
            Some((name.to_owned(), scopes.collect::<Option<_>>()?))
        });
        schemes.collect()
    });
    alternatives.collect()
}

/// Returns a list of texts, unless it is empty.
fn listed<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Tree> {
    let mut texts = texts.peekable();
    texts.peek().is_some().then(|| texts.map(Tree::from).collect())
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

/// Returns the statuses with which a node and those below it refuse a token that does not grant the
/// scopes. `is_required` is `true` if a scope is required on the path to the node.
fn insufficient_scope(node: &Node, is_required: bool) -> BTreeSet<u16> {
    let own = node.insufficient_scope().filter(|_| is_required);
    let below = node.edges.iter().flat_map(|edge| {
        let is_required = is_required && !edge.is_unscoped || !edge.scopes.is_empty();
        insufficient_scope(edge.node, is_required)
    });
    own.into_iter().chain(below).collect()
}

/// Returns `true` if a node that is no scheme refuses a request because it has no credential.
fn refuses_absent(node: &Node) -> bool {
    node.refuses_absent()
        || node.decides()
        || node.edges.iter().any(|edge| refuses_absent(edge.node))
}

/// Returns the alternatives that satisfy both lists. An empty list requires nothing.
pub(super) fn both(first: Vec<Alternative>, second: &[Alternative]) -> Vec<Alternative> {
    if first.is_empty() || second.is_empty() {
        return [&first, second].concat();
    }
    // What satisfies one of two equal lists satisfies the other as well.
    let is_in = |list: &[Alternative], one| list.iter().any(|other| is_same(other, one));
    if first.iter().all(|one| is_in(second, one)) && second.iter().all(|one| is_in(&first, one)) {
        return first;
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

#[cfg(all(test, any(feature = "utoipa5", feature = "utoipa6")))]
mod tests {
    use super::*;
    use crate::syntax::json::tree::Json;

    #[test]
    fn a_sorted_map_carries_a_requirement_unchanged() {
        let text = r#"{"z":{"maximum":31.245270191439438,"minimum":-1},"a":["b",null]}"#;
        let object = |text| Tree::parse(text).unwrap().into_object();
        let requirement = Requirement {
            schemes: object(r#"{"Z":{},"A":{}}"#),
            security: vec![vec![("Z".to_owned(), vec!["z".to_owned()])]],
            via: vec!["user".to_owned()],
            reason: None,
            responses: object("{}"),
            safe_responses: object("{}"),
            deciding: object(r#"{"403":["`user`"]}"#),
            schemas: object(text),
            unset: object("{}"),
            has_extractor: true,
            #[cfg(feature = "testing")]
            plan: Some("plan".to_owned()),
        };
        let packed = requirement.packed();
        let carried = serde_json::to_value(&packed).unwrap();
        let read = Requirement::unpacked(Tree::of(&carried).unwrap()).unwrap();
        assert_eq!(Json(Tree::Object(read.schemas.clone())).to_string(), text);
        assert_eq!(read.packed(), packed);
        for other in ["{}", "1", "[]", r#""""#, r#""1""#, r#""{\"schemes\":{}}""#] {
            assert!(Requirement::unpacked(Tree::parse(other).unwrap()).is_none(), "{other}");
        }
    }
}
