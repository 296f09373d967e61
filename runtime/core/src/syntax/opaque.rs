//! References to const data, behind a trait object.

use core::panic::{RefUnwindSafe, UnwindSafe};

/// A reference to const data that large structures are made of.
///
/// The compiler proves for each dependency and each rejection that its values are `Send`. It would
/// look through every field of the data each time, but it does not look through a trait object.
pub(crate) struct Opaque<T: 'static>(&'static dyn Holds<T>);

trait Holds<T>: Send + Sync + UnwindSafe + RefUnwindSafe {
    fn get(&'static self) -> &'static T;
}

impl<T: Send + Sync + UnwindSafe + RefUnwindSafe> Holds<T> for T {
    fn get(&'static self) -> &'static T {
        self
    }
}

impl<T: Send + Sync + UnwindSafe + RefUnwindSafe> Opaque<T> {
    pub(crate) const fn new(data: &'static T) -> Self {
        Self(data)
    }
}

impl<T> Opaque<T> {
    pub(crate) fn get(self) -> &'static T {
        self.0.get()
    }
}

impl<T> Clone for Opaque<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Opaque<T> {}
