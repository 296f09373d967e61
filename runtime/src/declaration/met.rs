//! Whether a request has met a declaration: a plan, or something public. The tests of a service
//! ask, with `testing::RefuseUndecided`.

#[cfg(feature = "testing")]
use core::cell::Cell;

#[cfg(feature = "testing")]
thread_local! {
    /// `true` if the work that this thread does for a request has met a declaration.
    static MET: Cell<bool> = const { Cell::new(false) };
}

/// Notes that the request has met a declaration. Does nothing without the feature `testing`.
#[inline]
pub(crate) fn met() {
    #[cfg(feature = "testing")]
    MET.set(true);
}

/// Does a part of the work for a request. Also returns `true` if it met a declaration.
#[cfg(all(feature = "testing", feature = "tower"))]
pub(crate) fn watched<T>(work: impl FnOnce() -> T) -> (T, bool) {
    let before = MET.replace(false);
    let done = work();
    let met = MET.get();
    // Whoever watches this from outside is told as well.
    MET.set(before || met);
    (done, met)
}
