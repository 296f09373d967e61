//! What the cached dependencies of a request yielded, so that each runs once.

use core::any::{Any, TypeId};
use core::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, HeaderValue};

use crate::bounds::{Cached, CachedLocal};
use crate::context::{LocalContext, SendContext};
use crate::dependency::Dependency;
use crate::plan::Cursor;
use crate::security_scopes::SecurityScopes;

/// What one dependency yielded in one request. Scopes tell two uses apart only when the dependency, or one below it, asks for
/// them.
#[derive(Clone)]
struct Entry<P> {
    dependency: TypeId,
    scopes: Option<SecurityScopes>,
    output: P,
}

impl<P> Entry<P> {
    fn is_of<D: Dependency>(&self, at: Cursor) -> bool {
        let same_scopes = match (self.scopes, asked_scopes::<D>(at)) {
            (Some(found), Some(asked)) => found.is_same_set(asked),
            (found, asked) => found.is_none() && asked.is_none(),
        };
        self.dependency == TypeId::of::<D>() && same_scopes
    }
}

fn asked_scopes<D: Dependency>(at: Cursor) -> Option<SecurityScopes> {
    D::NODE.asks_scopes().then(|| at.scopes())
}

/// The cache of a request.
///
/// `P` is a shared pointer to anything: `Arc<dyn Any + Send + Sync>`, or `Rc<dyn Any>` on one thread.
#[derive(Clone)]
pub struct Cache<P = Arc<dyn Any + Send + Sync>> {
    entries: Vec<Entry<P>>,
    /// The `Authorization` lines for which the entries hold.
    credentials: Vec<HeaderValue>,
}

/// The cache of a request that stays on its thread.
pub type LocalCache = Cache<Rc<dyn Any>>;

impl<P> Default for Cache<P> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            credentials: Vec::new(),
        }
    }
}

impl Cache {
    /// The cache of a request, from its extensions, as [`of`](Self::of) these headers.
    pub fn in_extensions(head: &mut Parts) -> &mut Self {
        let cache: &mut Self = head.extensions.get_or_insert_default();
        cache.of(&head.headers)
    }

    /// This cache for a request of these headers. It starts anew when the credentials are no longer the same, as when a middleware
    /// between a layer and a handler has put others in.
    pub fn of(&mut self, headers: &HeaderMap) -> &mut Self {
        let lines = headers.get_all(AUTHORIZATION);
        if !self.credentials.iter().eq(&lines) {
            self.entries.clear();
            self.credentials = lines.iter().cloned().collect();
        }
        self
    }
}

impl<P: Deref<Target: AsAny>> Cache<P> {
    /// What the dependency yielded before in this place, or in one that asks for the same scopes.
    #[must_use]
    pub fn get<D: Dependency>(&self, at: Cursor) -> Option<&dyn Any> {
        let entry = self.entries.iter().find(|entry| entry.is_of::<D>(at))?;
        Some(entry.output.as_any())
    }

    /// Keeps what the dependency yielded.
    pub fn insert<D: Dependency>(&mut self, at: Cursor, output: P) {
        self.entries.push(Entry {
            dependency: TypeId::of::<D>(),
            scopes: asked_scopes::<D>(at),
            output,
        });
    }
}

/// Lets both kinds of pointer be looked into.
pub trait AsAny {
    /// The value behind the pointer.
    fn as_any(&self) -> &dyn Any;
}

impl AsAny for dyn Any {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl AsAny for dyn Any + Send + Sync {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What a cached dependency yielded before in this request.
pub fn recall<D: Dependency, T: Cached<C>, C: SendContext>(cx: &mut C, at: Cursor) -> Option<T> {
    cx.cache().get::<D>(at).and_then(T::of_kept)
}

/// Keeps what a cached dependency yielded for the rest of this request.
pub fn remember<D: Dependency, T: Cached<C>, C: SendContext>(cx: &mut C, at: Cursor, output: &T) {
    cx.cache().insert::<D>(at, output.kept());
}

/// As [`recall`], in a context whose futures stay on their thread.
pub fn recall_local<D: Dependency, T: CachedLocal<C>, C: LocalContext>(
    cx: &mut C,
    at: Cursor,
) -> Option<T> {
    cx.local_cache().get::<D>(at).and_then(T::of_kept)
}

/// As [`remember`], in a context whose futures stay on their thread.
pub fn remember_local<D: Dependency, T: CachedLocal<C>, C: LocalContext>(
    cx: &mut C,
    at: Cursor,
    output: &T,
) {
    cx.local_cache().insert::<D>(at, output.kept());
}
