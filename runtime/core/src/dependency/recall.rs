//! How generated code keeps the values of cached dependencies.

use core::marker::PhantomData;

use crate::__both_families;
use crate::dependency::Dependency;
use crate::plan::cursor::Cursor;

/// Keeps a value of the type `T` for the rest of a request. If the type can be kept, its inherent
/// functions are found, and otherwise those of [`NotKept`].
#[derive(Debug)]
pub struct Keep<T>(PhantomData<T>);

/// Like [`Keep`], in a context whose futures stay on their thread.
#[derive(Debug)]
pub struct LocalKeep<T>(PhantomData<T>);

__both_families! {
    impl<T: __family::Cached> __family::Keep<T> {
        /// Returns the kept value of a dependency, if any.
        pub fn recall<D: Dependency, C: __family::Context>(cx: &mut C, at: Cursor) -> Option<T> {
            cx.cache().get::<D>(at).and_then(T::of_kept)
        }

        /// Keeps the value of a dependency.
        pub fn remember<D: Dependency, C: __family::Context>(cx: &mut C, at: Cursor, output: &T) {
            cx.cache().insert::<D>(at, output.kept());
        }
    }

    impl<T> NotKept<T> for __family::Keep<T> {}
}

/// The functions of [`Keep`] and [`LocalKeep`] for a type that cannot be kept, which the check of
/// the dependency reports.
pub trait NotKept<T> {
    /// Returns `None`.
    fn recall<D, C>(_cx: &mut C, _at: Cursor) -> Option<T> {
        None
    }

    /// Keeps nothing.
    fn remember<D, C>(_cx: &mut C, _at: Cursor, _output: &T) {}
}
