//! Callers who ask for each route of a table.

use core::fmt;
use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Uri};

use super::access_matrix::{AccessMatrix, MatrixError, Row};
use super::answer::Answer;
use super::credential::CallerCredential;
use super::probe::{Probe, Seen};
use crate::routes::{ANY, Route, Routes};

/// Whether a route is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asking {
    /// It is asked. A parameter of the plan with this name answers instead of the handler.
    Plan(Arc<str>),
    /// It is printed as it is in the table, because nothing could answer instead of its handler.
    Printed,
    /// It is printed, because no path alone leads to it. A parameter answers, if a sample does.
    #[cfg(feature = "axum08")]
    Answers(Arc<str>),
    /// It would be asked, and its handler would run.
    #[cfg(feature = "openapi")]
    Unknown,
}

impl Asking {
    /// Returns the name of the plan that answers.
    const fn plan(&self) -> Option<&Arc<str>> {
        match self {
            Self::Plan(plan) => Some(plan),
            #[cfg(feature = "axum08")]
            Self::Answers(plan) => Some(plan),
            _ => None,
        }
    }
}

/// Callers who ask for each route, without running its handler. Created by [`Routes::asked_by`].
#[must_use = "call `table`, which asks"]
pub struct Callers<'r> {
    routes: &'r Routes,
    callers: Vec<(String, Box<dyn CallerCredential>)>,
    samples: Vec<(String, String)>,
    bodies: Vec<(String, Bytes)>,
}

/// Names the callers.
impl fmt::Debug for Callers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.callers.iter().map(|(name, _)| name)).finish()
    }
}

impl Routes {
    /// Begins a matrix of who may call what: asks for each route as this caller, and as those whom
    /// [`Callers::asked_by`] adds: `routes.asked_by("nobody", None).asked_by("alice", token)`. See
    /// [`guide::testing`](crate::guide::testing) for an example, for what is asked, and for the
    /// `asked` of each framework.
    pub fn asked_by(&self, name: &str, credential: impl CallerCredential) -> Callers<'_> {
        let callers =
            Callers { routes: self, callers: Vec::new(), samples: Vec::new(), bodies: Vec::new() };
        callers.asked_by(name, credential)
    }
}

/// A request that each caller sends: a route, and the method, which `ANY` is not.
struct Ask<'r> {
    route: &'r Route,
    method: &'r str,
}

impl<'r> Ask<'r> {
    /// Returns the requests for a route: one, or two for `ANY`, with methods that no other route of
    /// the path takes.
    fn of(route: &'r Route, routes: &'r Routes) -> impl Iterator<Item = Self> {
        let is_any = route.method == ANY && matches!(route.asking, Asking::Plan(_));
        let is_free = |method: &&str| {
            !routes.iter().any(|other| other.path == route.path && other.method == *method)
        };
        let methods: Vec<&str> = match is_any {
            true => ["GET", "POST", "PUT", "PATCH", "DELETE"].into_iter().filter(is_free).collect(),
            false => vec![&route.method],
        };
        methods.into_iter().take(2).map(move |method| Self { route, method })
    }

    /// Returns the name of the plan that answers, if the route is asked.
    const fn plan(&self) -> Option<&'r Arc<str>> {
        match &self.route.asking {
            Asking::Plan(plan) => Some(plan),
            _ => None,
        }
    }

    fn has_parameter(&self) -> bool {
        // `{{` is a brace of the path itself.
        self.route.path.replace("{{", "").contains('{') || self.route.path.ends_with("/*")
    }

    fn is_named(&self, route: &str) -> bool {
        route.split_once(' ') == Some((self.method, &self.route.path))
    }
}

/// The route as a line of an error.
impl fmt::Display for Ask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.route.path)
    }
}

impl Callers<'_> {
    /// Adds a caller.
    pub fn asked_by(mut self, name: &str, credential: impl CallerCredential) -> Self {
        self.callers.push((name.to_owned(), Box::new(credential)));
        self
    }

    /// Sets the target of the requests for a path: `.sample("/notes/{id}", "/notes/1?page=1")`.
    /// Each path with a parameter needs one, and so does that of a fallback, such as `/*`.
    pub fn sample(mut self, path: &str, target: &str) -> Self {
        self.samples.push((path.to_owned(), target.to_owned()));
        self
    }

    /// Sets the body of the requests for a route, in JSON: `.body("POST /notes", json!({…}))`. A
    /// handler that reads its body before the last secured parameter needs one.
    pub fn body(mut self, route: &str, json: impl fmt::Display) -> Self {
        self.bodies.push((route.to_owned(), json.to_string().into()));
        self
    }

    /// Asks for each route as each caller, one request after the other, and returns who gets in.
    /// `ask` sends a request to the service; the function `asked` of each framework converts it.
    ///
    /// No handler of the table runs. Dependencies and layers do, with their effects.
    ///
    /// # Errors
    ///
    /// Returns an error before anything is asked if nothing is known to answer instead of a
    /// handler, if a sample is missing, or if a name is there twice. Returns an error about the
    /// first request to which nothing of this crate has answered: an extractor or a layer of the
    /// framework was first, or a handler ran.
    pub async fn table<A: Answer>(
        self,
        mut ask: impl AsyncFnMut(Request<Bytes>) -> A,
    ) -> Result<AccessMatrix, MatrixError> {
        let asks = self.routes.iter().flat_map(|route| Ask::of(route, self.routes));
        let asks = Vec::from_iter(asks);
        let faults = self.faults(&asks);
        if !faults.is_empty() {
            return Err(MatrixError(faults.join("\n")));
        }
        let plans: BTreeSet<_> = asks.iter().filter_map(|ask| ask.route.asking.plan()).collect();
        let plans: Arc<[_]> = plans.into_iter().cloned().collect();
        let mut rows = Vec::new();
        for asked in &asks {
            let cells = match asked.plan() {
                None => Err(asked.route.requirement.to_string()),
                Some(plan) => {
                    let mut cells = Vec::new();
                    for (name, credential) in &self.callers {
                        let probe = Probe::new(plan, &plans);
                        let request = self.request(asked, &**credential, probe.clone());
                        let refused =
                            |what: &str| MatrixError(format!("{asked}, as `{name}`: {what}"));
                        let request = request
                            .ok_or_else(|| refused("no header line can have the credential"))?;
                        let target = request.uri().to_string();
                        let answer = ask(request).await.status();
                        cells.push(
                            cell(probe.take(), answer, &target).map_err(|what| refused(&what))?,
                        );
                    }
                    Ok(cells)
                }
            };
            let (method, path) = (asked.method.to_owned(), asked.route.path.clone());
            rows.push(Row { method, path, cells });
        }
        let callers = self.callers.into_iter().map(|(name, _)| name).collect();
        Ok(AccessMatrix { callers, rows })
    }

    /// Returns what is wrong with the matrix as it is written.
    fn faults(&self, asks: &[Ask<'_>]) -> Vec<String> {
        let mut faults = Vec::new();
        for (number, (name, _)) in self.callers.iter().enumerate() {
            if self.callers.iter().take(number).any(|(other, _)| other == name) {
                faults.push(format!("two callers are named `{name}`; give each a name of its own"));
            }
        }
        #[cfg(feature = "openapi")]
        for ask in asks.iter().filter(|ask| ask.route.asking == Asking::Unknown) {
            faults.push(format!(
                "{ask} is not filled by a plan ({}), so that its handler would run; secure it with `operation!(handler)`, or leave it out of the document",
                ask.route.requirement
            ));
        }
        let is_asked = |ask: &&Ask<'_>| ask.plan().is_some();
        for ask in asks.iter().filter(is_asked).filter(|ask| ask.has_parameter()) {
            if self.sample_of(ask.route).is_none() {
                let path = &ask.route.path;
                faults.push(format!("{ask} has no sample; write `.sample(\"{path}\", \"/…\")`"));
            }
        }
        for (path, target) in &self.samples {
            if !asks.iter().any(|ask| ask.route.path == *path) {
                faults.push(format!("there is a sample for `{path}`, and no route with this path"));
            }
            if !target.starts_with('/') || target.parse::<Uri>().is_err() {
                faults.push(format!("the sample `{target}` for `{path}` is not a path"));
            }
        }
        for (route, _) in &self.bodies {
            if !asks.iter().filter(is_asked).any(|ask| ask.is_named(route)) {
                faults.push(format!("there is a body for `{route}`, and no such route is asked"));
            }
        }
        faults
    }

    fn sample_of(&self, route: &Route) -> Option<&str> {
        let found = self.samples.iter().find(|(path, _)| *path == route.path);
        found.map(|(_, target)| &**target)
    }

    /// Returns the request of a caller, or `None` if it cannot have the credential.
    fn request(
        &self,
        ask: &Ask<'_>,
        credential: &dyn CallerCredential,
        probe: Probe,
    ) -> Option<Request<Bytes>> {
        let target = self.sample_of(ask.route).unwrap_or(&ask.route.path);
        let request = Request::builder().method(ask.method).uri(target).extension(probe);
        let mut request = request.body(Bytes::new()).ok()?;
        if let Some((_, body)) = self.bodies.iter().find(|(route, _)| ask.is_named(route)) {
            let json = HeaderValue::from_static("application/json");
            request.headers_mut().insert(CONTENT_TYPE, json);
            *request.body_mut() = body.clone();
        }
        credential.add_to(&mut request)?;
        Some(request)
    }
}

/// Returns the text of a cell.
fn cell(seen: Seen, status: Option<u16>, target: &str) -> Result<String, String> {
    match seen {
        Seen::In => Ok("in".to_owned()),
        Seen::Refused(refused) => match refused.or(status) {
            Some(status) => Ok(status.to_string()),
            None => Err("the request was refused, and not answered".to_owned()),
        },
        Seen::OtherRoute => {
            Err(format!("`{target}` is a target of another route; write another sample"))
        }
        Seen::Nothing => Err(match status {
            Some(status) => format!(
                "the answer {status} is of no secured parameter, layer or public handler: an extractor or a layer of the framework was first, or a handler ran"
            ),
            None => "the request was not answered".to_owned(),
        }),
    }
}
