//! How generated code keeps the values of cached dependencies.

use core::marker::PhantomData;

use crate::dependency::Dependency;
use crate::dependency::bounds::{Cached, LocalCached};
use crate::dependency::context::{LocalContext, SendContext};
use crate::plan::cursor::Cursor;

/// Keeps a value of the type `T` for the rest of a request. If the type can be kept, these inherent
/// functions are found, and otherwise those of [`NotKept`].
#[derive(Debug)]
pub struct Keep<T>(PhantomData<T>);

impl<T: Clone + Send + Sync + 'static> Keep<T> {
    /// Returns the kept value of a dependency, if any.
    pub fn recall<D: Dependency, C: SendContext>(cx: &mut C, at: Cursor) -> Option<T> {
        cx.cache().get::<D>(at).and_then(<T as Cached>::of_kept)
    }

    /// Keeps the value of a dependency.
    pub fn remember<D: Dependency, C: SendContext>(cx: &mut C, at: Cursor, output: &T) {
        cx.cache().insert::<D>(at, <T as Cached>::kept(output));
    }
}

/// The functions of [`Keep`] for a type that cannot be kept, which the check of the dependency
/// reports.
pub trait NotKept<T> {
    /// Returns `None`.
    fn recall<D, C>(_cx: &mut C, _at: Cursor) -> Option<T> {
        None
    }

    /// Keeps nothing.
    fn remember<D, C>(_cx: &mut C, _at: Cursor, _output: &T) {}
}

impl<T> NotKept<T> for Keep<T> {}

/// Like [`Keep`], in a context whose futures stay on their thread.
#[derive(Debug)]
pub struct LocalKeep<T>(PhantomData<T>);

impl<T: Clone + 'static> LocalKeep<T> {
    /// Returns the kept value of a dependency, if any.
    pub fn recall<D: Dependency, C: LocalContext>(cx: &mut C, at: Cursor) -> Option<T> {
        cx.local_cache().get::<D>(at).and_then(<T as LocalCached>::of_kept)
    }

    /// Keeps the value of a dependency.
    pub fn remember<D: Dependency, C: LocalContext>(cx: &mut C, at: Cursor, output: &T) {
        cx.local_cache().insert::<D>(at, <T as LocalCached>::kept(output));
    }
}

/// The functions of [`LocalKeep`] for a type that cannot be kept.
pub trait LocalNotKept<T> {
    /// Returns `None`.
    fn recall<D, C>(_cx: &mut C, _at: Cursor) -> Option<T> {
        None
    }

    /// Keeps nothing.
    fn remember<D, C>(_cx: &mut C, _at: Cursor, _output: &T) {}
}

impl<T> LocalNotKept<T> for LocalKeep<T> {}
