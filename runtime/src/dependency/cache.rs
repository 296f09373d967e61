//! The values that the cached dependencies of a request yielded, so that each runs once.
//!
//! A value that depends on nothing but credentials is the same for the whole request. Any other one depends on an extractor, and what
//! that finds may differ between a layer and a handler: the state, the path, the method. Such a value lasts for one handler or layer.

use core::any::{Any, TypeId};
use core::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::request::Parts;
use http::{HeaderMap, HeaderValue};

use crate::dependency::Dependency;
use crate::dependency::bounds::{Cached, LocalCached};
use crate::dependency::context::{LocalContext, SendContext};
use crate::plan::cursor::Cursor;
use crate::plan::security_scopes::SecurityScopes;

/// The value of one dependency. Scopes tell two uses apart only when the dependency or one below it takes them.
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
/// `P` is a shared pointer to anything: `Arc<dyn Any + Send + Sync>`, or `Rc<dyn Any>` on one thread.
#[derive(Clone)]
pub struct Cache<P = Arc<dyn Any + Send + Sync>> {
    /// The values for the whole request.
    of_request: Vec<CachedValue<P>>,
    /// The `Authorization` lines for which they hold.
    credentials: Vec<HeaderValue>,
    /// The values for the current handler or layer.
    of_handler: Vec<CachedValue<P>>,
}

/// The cache of a request that stays on its thread.
pub type LocalCache = Cache<Rc<dyn Any>>;

impl<P> Default for Cache<P> {
    fn default() -> Self {
        Self {
            of_request: Vec::new(),
            credentials: Vec::new(),
            of_handler: Vec::new(),
        }
    }
}

impl Cache {
    /// The cache of a request, from its extensions, as [`of`](Self::of) its headers.
    pub fn in_extensions(head: &mut Parts) -> &mut Self {
        let cache: &mut Self = head.extensions.get_or_insert_default();
        cache.of(&head.headers)
    }

    /// Begins a handler or a layer in the cache of a request that may have one.
    pub(crate) fn begin_in_extensions(head: &mut Parts) {
        if let Some(cache) = head.extensions.get_mut::<Self>() {
            cache.begin();
        }
    }

    /// This cache for a request of these headers. It is emptied first if the `Authorization` headers have changed since, for example by a
    /// middleware.
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
    /// Begins a handler or a layer, for which nothing holds that an extractor found before.
    pub fn begin(&mut self) {
        self.of_handler.clear();
    }
}

impl<P: Deref<Target: AsAny>> Cache<P> {
    /// The value that the dependency yielded before, here or where it sees the same scopes.
    #[must_use]
    pub fn get<D: Dependency>(&self, at: Cursor) -> Option<&dyn Any> {
        let entries = if D::NODE.is_of_request() {
            &self.of_request
        } else {
            &self.of_handler
        };
        let entry = entries.iter().find(|entry| entry.is_of::<D>(at))?;
        Some(entry.output.as_any())
    }

    /// Keeps the value of the dependency.
    pub fn insert<D: Dependency>(&mut self, at: Cursor, output: P) {
        let entries = if D::NODE.is_of_request() {
            &mut self.of_request
        } else {
            &mut self.of_handler
        };
        entries.push(CachedValue {
            dependency: TypeId::of::<D>(),
            scopes: scopes_of::<D>(at),
            output,
        });
    }
}

/// Looks into both kinds of pointer.
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

/// Returns the value that a cached dependency yielded before.
pub fn recall<D: Dependency, T: Cached<C>, C: SendContext>(cx: &mut C, at: Cursor) -> Option<T> {
    cx.cache().get::<D>(at).and_then(T::of_kept)
}

/// Keeps the value of a cached dependency.
pub fn remember<D: Dependency, T: Cached<C>, C: SendContext>(cx: &mut C, at: Cursor, output: &T) {
    cx.cache().insert::<D>(at, output.kept());
}

/// As [`recall`], in a context whose futures stay on their thread.
pub fn recall_local<D: Dependency, T: LocalCached<C>, C: LocalContext>(
    cx: &mut C,
    at: Cursor,
) -> Option<T> {
    cx.local_cache().get::<D>(at).and_then(T::of_kept)
}

/// As [`remember`], in a context whose futures stay on their thread.
pub fn remember_local<D: Dependency, T: LocalCached<C>, C: LocalContext>(
    cx: &mut C,
    at: Cursor,
    output: &T,
) {
    cx.local_cache().insert::<D>(at, output.kept());
}
