//! The values of cached dependencies, of the types that generated code expects.

use crate::dependency::Dependency;
use crate::dependency::bounds::{Cached, LocalCached};
use crate::dependency::context::{LocalContext, SendContext};
use crate::plan::cursor::Cursor;

/// Returns the cached value of a dependency, if any.
pub fn recall<D: Dependency, T: Cached<C>, C: SendContext>(cx: &mut C, at: Cursor) -> Option<T> {
    cx.cache().get::<D>(at).and_then(T::of_kept)
}

/// Caches the value of a dependency.
pub fn remember<D: Dependency, T: Cached<C>, C: SendContext>(cx: &mut C, at: Cursor, output: &T) {
    cx.cache().insert::<D>(at, output.kept());
}

/// Like [`recall`], in a context whose futures stay on their thread.
pub fn recall_local<D: Dependency, T: LocalCached<C>, C: LocalContext>(
    cx: &mut C,
    at: Cursor,
) -> Option<T> {
    cx.local_cache().get::<D>(at).and_then(T::of_kept)
}

/// Like [`remember`], in a context whose futures stay on their thread.
pub fn remember_local<D: Dependency, T: LocalCached<C>, C: LocalContext>(
    cx: &mut C,
    at: Cursor,
    output: &T,
) {
    cx.local_cache().insert::<D>(at, output.kept());
}
