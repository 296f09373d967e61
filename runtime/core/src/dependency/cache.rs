//! The values of a request's cached dependencies, kept so that each dependency runs once.
//!
//! A value that depends only on credentials is the same for the whole request. Any other value
//! depends on an extractor. In a handler, the extractor may find another state, path or method than
//! in a layer, so such a value lasts for one handler or layer.

use core::any::{Any, TypeId};
use core::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, HeaderValue};

use crate::dependency::Dependency;
use crate::plan::cursor::Cursor;
use crate::plan::security_scopes::SecurityScopes;

/// The value of one dependency. Scopes distinguish two uses only if the dependency or one below it
/// takes them.
#[derive(Clone)]
struct CachedValue<P> {
    dependency: TypeId,
    scopes: Option<SecurityScopes>,
    output: P,
}

impl<P> CachedValue<P> {
    fn is_of<D: Dependency>(&self, at: Cursor) -> bool {
        let same_scopes = match (self.scopes, scopes_of::<D>(at)) {
            (Some(found), Some(asked)) => found.is_same_set(asked),
            (found, asked) => found.is_none() && asked.is_none(),
        };
        self.dependency == TypeId::of::<D>() && same_scopes
    }
}

fn scopes_of<D: Dependency>(at: Cursor) -> Option<SecurityScopes> {
    D::NODE.has_scopes().then(|| at.scopes())
}

/// The cache of a request.
///
/// `P` is a shared pointer to any type: `Arc<dyn Any + Send + Sync>`, or `Rc<dyn Any>` on one
/// thread.
#[derive(Clone)]
pub struct Cache<P = Arc<dyn Any + Send + Sync>> {
    /// The values that last for the whole request.
    of_request: Vec<CachedValue<P>>,
    /// The `Authorization` headers at the time when the values were cached.
    credentials: Vec<HeaderValue>,
    /// The values that last for the current handler or layer.
    of_handler: Vec<CachedValue<P>>,
}

/// The cache of a request that stays on its thread.
pub type LocalCache = Cache<Rc<dyn Any>>;

impl<P> Default for Cache<P> {
    fn default() -> Self {
        Self { of_request: Vec::new(), credentials: Vec::new(), of_handler: Vec::new() }
    }
}

impl Cache {
    /// Returns the cache in a request's extensions, checked against the headers by
    /// [`of`](Self::of). Inserts an empty cache if there is none yet.
    pub fn in_extensions(head: &mut Parts) -> &mut Self {
        let cache: &mut Self = head.extensions.get_or_insert_default();
        cache.of(&head.headers)
    }

    /// Begins a handler or a layer, if the request already has a cache.
    pub(crate) fn begin_in_extensions(head: &mut Parts) {
        if let Some(cache) = head.extensions.get_mut::<Self>() {
            cache.begin();
        }
    }

    /// Returns this cache for a request with these headers. Empties it first if the `Authorization`
    /// headers have changed since the last call, for example by a middleware.
    pub fn of(&mut self, headers: &HeaderMap) -> &mut Self {
        let lines = headers.get_all(AUTHORIZATION);
        if !self.credentials.iter().eq(&lines) {
            self.of_request.clear();
            self.of_handler.clear();
            self.credentials = lines.iter().cloned().collect();
        }
        self
    }
}

impl<P> Cache<P> {
    /// Begins a handler or a layer. Drops the values that depend on extractors, because they may
    /// not hold for it.
    pub fn begin(&mut self) {
        self.of_handler.clear();
    }
}

impl<P: Deref> Cache<P> {
    /// Returns the cached value of the dependency, from this position or one where it sees the same
    /// scopes.
    #[must_use]
    pub fn get<D: Dependency>(&self, at: Cursor) -> Option<&P::Target> {
        if at.is_fresh() {
            return None;
        }
        let entries = if D::NODE.is_of_request() { &self.of_request } else { &self.of_handler };
        entries.iter().find(|entry| entry.is_of::<D>(at)).map(|entry| &*entry.output)
    }

    /// Caches the value of the dependency.
    pub fn insert<D: Dependency>(&mut self, at: Cursor, output: P) {
        let entries =
            if D::NODE.is_of_request() { &mut self.of_request } else { &mut self.of_handler };
        entries.push(CachedValue {
            dependency: TypeId::of::<D>(),
            scopes: scopes_of::<D>(at),
            output,
        });
    }
}
