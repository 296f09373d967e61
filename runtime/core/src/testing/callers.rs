//! Callers who ask for each route of a table.

use core::fmt;
use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST};
use http::{HeaderValue, Request, Uri};

use super::access_matrix::{AccessMatrix, MatrixError, Row};
use super::answer::Answer;
use super::credential::CallerCredential;
use crate::dependency::probe::{Probe, Seen};
use crate::routes::asking::Asking;
use crate::routes::{ANY, Route, Routes};

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
    /// [`guide::testing`](https://docs.rs/doorward/latest/doorward/guide/testing/index.html) for an example, for what is asked, and for the
    /// `asked` of each framework.
    pub fn asked_by(&self, name: &str, credential: impl CallerCredential) -> Callers<'_> {
        let callers =
            Callers { routes: self, callers: Vec::new(), samples: Vec::new(), bodies: Vec::new() };
        callers.asked_by(name, credential)
    }
}

/// The methods of which two are asked for `ANY`: the first that no other route of the path takes. No
/// router declares the last one.
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/// Returns the methods that are asked for a route. One with `false` has a line only if its answers
/// differ from those of the first: a dependency may look at the method.
fn methods<'r>(route: &'r Route, routes: &Routes) -> Vec<(&'r str, bool)> {
    let is_free = |method: &str| {
        !routes.iter().any(|other| (&*other.path, &*other.method) == (&*route.path, method))
    };
    let takes_head = match &route.asking {
        // axum answers `HEAD` with the handler of `GET`.
        #[cfg(feature = "axum08")]
        Asking::Door(_) => {
            is_free("HEAD") && (route.method == "GET" || route.method == ANY && is_free("GET"))
        }
        _ => false,
    };
    if route.method != ANY || route.asking.asked().is_none() {
        return [(&*route.method, true)]
            .into_iter()
            .chain(takes_head.then_some(("HEAD", false)))
            .collect();
    }
    let mut free: Vec<_> = METHODS.into_iter().filter(|method| is_free(method)).collect();
    let others = free.split_off(free.len().min(2));
    let undeclared = others.last().copied().into_iter().chain(takes_head.then_some("HEAD"));
    let shown = free.into_iter().map(|method| (method, true));
    shown.chain(undeclared.map(|method| (method, false))).collect()
}

/// Returns `true` if a path of the table leads to a target.
fn leads_to(path: &str, target: &str) -> bool {
    let target = target.split_once('?').map_or(target, |(target, _)| target);
    let mut parts = target.split('/');
    for segment in path.split('/') {
        if segment == "*" || segment.starts_with("{*") {
            return true;
        }
        let Some(part) = parts.next() else { return false };
        let is_equal = match segment.split_once('{').zip(segment.rsplit_once('}')) {
            // `{{` is a brace of the path itself.
            _ if segment.contains("{{") => true,
            None => segment == part,
            Some(((before, _), (_, after))) => {
                let between = part.strip_prefix(before).and_then(|part| part.strip_suffix(after));
                between.is_some_and(|between| !between.is_empty())
            }
        };
        if !is_equal {
            return false;
        }
    }
    parts.next().is_none()
}

/// Returns how exact each segment of a path is: a text is before a parameter, and that is before the
/// rest of a path.
fn exactness(path: &str) -> impl Iterator<Item = u8> {
    path.split('/').map(|segment| match segment {
        "*" => 2,
        rest if rest.starts_with("{*") => 2,
        parameter => has_parameter(parameter).into(),
    })
}

fn has_parameter(path: &str) -> bool {
    // `{{` is a brace of the path itself.
    path.replace("{{", "").contains('{') || path.ends_with("/*")
}

/// The route as a line of an error.
fn named(method: &str, route: &Route) -> String {
    format!("{method} {}", route.path)
}

impl Callers<'_> {
    /// Adds a caller.
    pub fn asked_by(mut self, name: &str, credential: impl CallerCredential) -> Self {
        self.callers.push((name.to_owned(), Box::new(credential)));
        self
    }

    /// Adds a target of the requests for a path: `.sample("/notes/{id}", "/notes/1?page=1")`. Each
    /// path with a parameter needs one, and so does that of a fallback, such as `/*`. With several,
    /// each has a line of its own, which begins with the target.
    pub fn sample(mut self, path: &str, target: &str) -> Self {
        self.samples.push((path.to_owned(), target.to_owned()));
        self
    }

    /// Sets the body of the requests for a route, in JSON: `.body("POST /notes", json!({…}))`. A
    /// handler that reads a body needs one, because its extractors run.
    pub fn body(mut self, route: &str, json: impl fmt::Display) -> Self {
        self.bodies.push((route.to_owned(), json.to_string().into()));
        self
    }

    /// Asks for each route as each caller, one request after the other, and returns who gets in.
    /// `ask` sends a request to the service; the function `asked` of each framework converts it.
    ///
    /// No handler of the table runs. Dependencies, extractors and layers do, with their effects.
    ///
    /// # Errors
    ///
    /// Returns an error before anything is asked if nothing is known to answer instead of a
    /// handler, if a sample is missing or leads to another route, or if a name is there twice.
    /// Returns an error about the first request to which nothing of this crate has answered: a
    /// layer of the framework was first, or a handler ran that the table does not have.
    pub async fn table<A: Answer>(
        self,
        mut ask: impl AsyncFnMut(Request<Bytes>) -> A,
    ) -> Result<AccessMatrix, MatrixError> {
        let faults = self.faults();
        if !faults.is_empty() {
            return Err(MatrixError(faults.join("\n")));
        }
        let plans: BTreeSet<_> =
            self.routes.iter().filter_map(|route| route.asking.answers()).collect();
        let plans: Arc<[_]> = plans.into_iter().cloned().collect();
        let mut rows = Vec::new();
        for route in self.routes {
            let Some(plan) = route.asking.asked() else {
                let (method, path) = (route.method.clone(), route.path.clone());
                rows.push(Row { method, path, cells: Err(route.requirement.to_string()) });
                continue;
            };
            let mut targets = Vec::from_iter(self.samples_of(route).map(str::to_owned));
            if targets.is_empty() {
                targets.push(format!("{}{}", route.asking.base(), route.path));
            }
            for target in &targets {
                let path = if targets.len() > 1 { target } else { &route.path };
                let mut first = None;
                for (method, is_shown) in methods(route, self.routes) {
                    let mut cells = Vec::new();
                    for (name, credential) in &self.callers {
                        let probe = Probe::new(plan, &plans);
                        let request = self.request(route, method, target, &**credential, &probe);
                        let cell = match request {
                            None => Err("no header line can have the credential".to_owned()),
                            Some(request) => {
                                let target = request.uri().to_string();
                                let answer = probe.during(async { ask(request).await }).await;
                                cell(probe.take(), answer.status(), &target)
                            }
                        };
                        cells.push(cell.map_err(|what| {
                            MatrixError(format!("{}, as `{name}`: {what}", named(method, route)))
                        })?);
                    }
                    if is_shown || first.as_ref() != Some(&cells) {
                        first.get_or_insert_with(|| cells.clone());
                        let (method, path) = (method.to_owned(), path.clone());
                        rows.push(Row { method, path, cells: Ok(cells) });
                    }
                }
            }
        }
        let callers = self.callers.into_iter().map(|(name, _)| name).collect();
        Ok(AccessMatrix { callers, rows })
    }

    /// Returns what is wrong with the matrix as it is written.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (number, (name, _)) in self.callers.iter().enumerate() {
            if self.callers.iter().take(number).any(|(other, _)| other == name) {
                faults.push(format!("two callers are named `{name}`; give each a name of its own"));
            }
        }
        #[cfg(feature = "openapi")]
        for route in self.routes.iter().filter(|route| route.asking == Asking::Unknown) {
            faults.push(format!(
                "{} is not filled by a plan ({}), so that its handler would run; secure it with `operation!(handler)`, or leave it out of the document",
                named(&route.method, route), route.requirement
            ));
        }
        let asked = || self.routes.iter().filter(|route| route.asking.asked().is_some());
        for route in asked() {
            let (path, line) = (&route.path, named(&route.method, route));
            if has_parameter(path) && self.samples_of(route).next().is_none() {
                faults.push(format!("{line} has no sample; write `.sample(\"{path}\", \"/…\")`"));
            }
            let samples = self.samples_of(route).filter(|target| target.starts_with('/'));
            for target in samples.filter(|target| !self.is_target_of(route, target)) {
                faults.push(format!(
                    "{line}: `{target}` is no target of this route; write another sample"
                ));
            }
        }
        for (path, target) in &self.samples {
            if !self.routes.iter().any(|route| route.path == *path) {
                faults.push(format!("there is a sample for `{path}`, and no route with this path"));
            }
            if !target.starts_with('/') || target.parse::<Uri>().is_err() {
                faults.push(format!("the sample `{target}` for `{path}` is not a path"));
            }
        }
        for (body, _) in &self.bodies {
            let is_named = |route: &Route| {
                methods(route, self.routes).iter().any(|(method, _)| named(method, route) == *body)
            };
            if !asked().any(is_named) {
                faults.push(format!("there is a body for `{body}`, and no such route is asked"));
            }
        }
        faults
    }

    fn samples_of(&self, route: &Route) -> impl Iterator<Item = &str> {
        let samples = self.samples.iter().filter(|(path, _)| *path == route.path);
        samples.map(|(_, target)| &**target)
    }

    /// Returns `true` if a target leads to a route of the table, and to none that is more exact.
    fn is_target_of(&self, route: &Route, target: &str) -> bool {
        let is_exacter = |other: &&Route| exactness(&other.path).lt(exactness(&route.path));
        // The service may, or may not, see the path of the server.
        let target = target.strip_prefix(route.asking.base()).unwrap_or(target);
        let is_own = match &route.asking {
            // A framework may take several segments for the last parameter.
            #[cfg(feature = "openapi")]
            Asking::Plan { .. } => true,
            _ => leads_to(&route.path, target),
        };
        is_own && !self.routes.iter().filter(is_exacter).any(|other| leads_to(&other.path, target))
    }

    /// Returns the request of a caller, or `None` if it cannot have the credential.
    fn request(
        &self,
        route: &Route,
        method: &str,
        target: &str,
        credential: &dyn CallerCredential,
        probe: &Probe,
    ) -> Option<Request<Bytes>> {
        let request = Request::builder().method(method).uri(target).header(HOST, "localhost");
        let mut request = request.extension(probe.clone()).body(Bytes::new()).ok()?;
        let line = named(method, route);
        if let Some((_, body)) = self.bodies.iter().find(|(route, _)| *route == line) {
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
        #[cfg(feature = "axum08")]
        Seen::Unknown => Err(
            "the handler has a layer of its own, below which nothing can answer; put the layer around the route, as in `get(handler).layer(…)`"
                .to_owned(),
        ),
        Seen::Nothing => Err(match status {
            Some(status) => format!(
                "the answer {status} is of no secured parameter, layer or public handler: an extractor or a layer of the framework was first, or a handler ran"
            ),
            None => "the request was not answered".to_owned(),
        }),
    }
}
