//! The kind of a dependency's value, by which a guard is checked.

/// The kind of a dependency's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Any other value.
    Value,
    /// A `Result`, whose error a guard would drop.
    Result,
    /// A verdict that a guard would drop: a `bool`, an `Option`, a `ControlFlow`, a `Poll`, or
    /// something that contains one.
    Verdict,
    /// A future, which would never be polled.
    Future,
    /// A function that returns one of these, which would never be called.
    Function,
}

impl OutputKind {
    /// Returns `true` if the value is a `Result`.
    #[must_use]
    pub const fn is_result(self) -> bool {
        matches!(self, Self::Result)
    }

    /// Returns the kind of a value that contains one of this kind.
    pub(crate) const fn contained(self) -> Self {
        match self {
            Self::Result => Self::Verdict,
            other => other,
        }
    }
}
