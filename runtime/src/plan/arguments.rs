//! The arguments with which a dependency is required, as const data at its edge.

use core::any::Any;
use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};

/// The arguments with which a dependency is required: `role(Role::Admin)`.
pub struct Arguments {
    /// A `fn() -> A` that returns the tuple of the arguments. A function, because a value may be
    /// neither `Copy` nor `Sync`, and because its type is told apart by the `Any` alone.
    make: &'static (dyn Any + Send + Sync + UnwindSafe + RefUnwindSafe),
    /// The arguments as they are written, with the parentheses.
    text: &'static str,
    /// Compares the values of two functions, at an edge that a layer has to meet.
    is_same: Option<Compare>,
}

/// Returns `true` if two functions return the same arguments.
type Compare = fn(&dyn Any, &dyn Any) -> bool;

impl Arguments {
    /// Creates arguments from the function that returns them, and from their text.
    #[must_use]
    pub const fn new<A: 'static>(make: &'static fn() -> A, text: &'static str) -> Self {
        Self { make, text, is_same: None }
    }

    /// Creates arguments that can be compared with those of a layer.
    #[must_use]
    pub const fn comparable<A: PartialEq + 'static>(
        make: &'static fn() -> A,
        text: &'static str,
    ) -> Self {
        Self { is_same: Some(is_same::<A>), ..Self::new(make, text) }
    }

    /// Returns the values, or `None` if their types are not those of `A`.
    pub(super) fn values<A: 'static>(&self) -> Option<A> {
        let make: &dyn Any = self.make;
        make.downcast_ref::<fn() -> A>().map(|make| make())
    }

    /// Returns `true` if the values of a layer are the same as these.
    pub(crate) fn are_met_by(&self, of_layer: &Self) -> bool {
        self.is_same.is_some_and(|is_same| is_same(self.make, of_layer.make))
    }

    /// Returns the arguments as they are written, with the parentheses.
    pub(crate) const fn text(&self) -> &'static str {
        self.text
    }
}

fn is_same<A: PartialEq + 'static>(first: &dyn Any, second: &dyn Any) -> bool {
    let values = |make: &dyn Any| make.downcast_ref::<fn() -> A>().map(|make| make());
    matches!((values(first), values(second)), (Some(first), Some(second)) if first == second)
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn of<A: PartialEq>(make: &'static fn() -> A) -> Arguments {
        Arguments::comparable(make, "(…)")
    }

    #[test]
    fn values_have_the_type_that_is_asked_for() {
        let arguments = of(&((|| (7, "a")) as fn() -> (u32, &'static str)));
        assert_eq!(arguments.values::<(u32, &str)>(), Some((7, "a")));
        assert_eq!(arguments.values::<(u64, &str)>(), None);
        assert_eq!(arguments.values::<(u32,)>(), None);
    }

    #[test]
    fn arguments_are_met_by_the_same_values_alone() {
        let seven = of(&((|| (7,)) as fn() -> (u32,)));
        let again = of(&((|| (3 + 4,)) as fn() -> (u32,)));
        let eight = of(&((|| (8,)) as fn() -> (u32,)));
        let long = of(&((|| (7,)) as fn() -> (u64,)));
        let incomparable = Arguments::new(&((|| (7,)) as fn() -> (u32,)), "(7)");
        assert!(seven.are_met_by(&again) && seven.are_met_by(&incomparable));
        assert!(!seven.are_met_by(&eight) && !seven.are_met_by(&long));
        assert!(!incomparable.are_met_by(&seven));
    }
}
