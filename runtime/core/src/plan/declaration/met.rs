//! Whether a request has met a declaration: a plan, or something public. The tests of a service
//! ask, with `testing::RefuseUndecided`.

#[cfg(feature = "testing")]
use core::cell::Cell;

#[cfg(feature = "testing")]
thread_local! {
    /// Whether the work that this thread does for a request has met a declaration.
    static MET: Cell<Met> = const { Cell::new(Met::Nothing) };
}

/// Whether a request has met a declaration so far.
#[cfg(feature = "testing")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Met {
    Nothing,
    /// A refusal of a value that declares its handler, unless the handler goes on without it: one
    /// that takes a `Result` does.
    #[cfg_attr(not(feature = "axum08"), expect(dead_code, reason = "axum extracts such values"))]
    Refusal,
    Declaration,
}

/// Notes that the request has met a declaration. Does nothing without the feature `testing`.
#[inline]
pub(crate) fn met() {
    #[cfg(feature = "testing")]
    MET.set(Met::Declaration);
}

/// Notes whether a value that declares its handler was extracted.
#[cfg(feature = "axum08")]
#[inline]
pub(crate) fn met_value<T, E>(_extracted: &Result<T, E>) {
    #[cfg(feature = "testing")]
    MET.set(MET.get().max(if _extracted.is_ok() { Met::Declaration } else { Met::Refusal }));
}

/// Does a part of the work for a request. Also returns what it met.
#[cfg(all(feature = "testing", feature = "tower"))]
pub(crate) fn watched<T>(work: impl FnOnce() -> T) -> (T, Met) {
    let before = MET.replace(Met::Nothing);
    let done = work();
    let met = MET.get();
    // A layer around this one is told as well.
    MET.set(before.max(met));
    (done, met)
}
