//! The arguments with which a dependency is required, as const data at its edge.

pub(crate) mod printed;
pub(crate) mod roles;

use core::any::Any;
use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};

use self::printed::cut;
use crate::plan::node::Node;

/// The texts of values, each `None` where it is printed as it is written.
pub type Texts = Vec<Option<String>>;

/// A dependency with arguments: `#[argument] least: Role`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no arguments",
    label = "a dependency without arguments",
    note = "mark the parameters that are arguments: `#[argument] least: Role`"
)]
pub trait TakesArguments {
    /// The tuple of the arguments.
    type Arguments: 'static;

    /// Returns the texts of these values.
    #[doc(hidden)]
    fn texts(values: &Self::Arguments) -> Texts;

    /// Returns the names of the roles of which a caller needs one.
    #[doc(hidden)]
    #[must_use]
    fn roles(_: Self::Arguments) -> Vec<String> {
        Vec::new()
    }
}

/// The parameters of a dependency that are arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parameters {
    /// The names, separated by commas.
    pub(super) names: &'static str,
    texts: fn(&Arguments) -> Texts,
    #[cfg_attr(
        not(any(feature = "axum08", feature = "openapi")),
        expect(dead_code, reason = "used by descriptions")
    )]
    roles: fn(&Arguments) -> Vec<String>,
}

impl Parameters {
    pub(super) const fn of<D: TakesArguments>(names: &'static str) -> Self {
        Self {
            names,
            texts: |arguments| {
                let values = arguments.values::<D::Arguments>();
                values.map(|values| D::texts(&values)).unwrap_or_default()
            },
            roles: |arguments| arguments.values().map(D::roles).unwrap_or_default(),
        }
    }
}

/// The arguments with which a dependency is required: `role(Role::Admin)`.
pub struct Arguments {
    /// A `fn() -> A` that returns the tuple of the arguments. A function, because a value may be
    /// neither `Copy` nor `Sync`, and because only the `Any` tells its type apart.
    make: &'static (dyn Any + Send + Sync + UnwindSafe + RefUnwindSafe),
    /// The arguments as they are written.
    written: &'static [&'static str],
    /// Compares the values of two functions, at an edge that a layer has to meet.
    is_same: Option<Compare>,
}

/// Returns `true` if two functions return the same arguments.
type Compare = fn(&dyn Any, &dyn Any) -> bool;

impl Arguments {
    /// Creates arguments from the function that returns them, and from their texts.
    #[must_use]
    pub const fn new<A: 'static>(
        make: &'static fn() -> A,
        written: &'static [&'static str],
    ) -> Self {
        Self { make, written, is_same: None }
    }

    /// Creates arguments that can be compared with those of a layer.
    #[must_use]
    pub const fn comparable<A: PartialEq + 'static>(
        make: &'static fn() -> A,
        written: &'static [&'static str],
    ) -> Self {
        Self { is_same: Some(is_same::<A>), ..Self::new(make, written) }
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

    /// Returns the text of these arguments of a dependency, with the parentheses.
    pub(crate) fn text(&self, of: &Node) -> String {
        let texts = of.parameters().map(|parameters| (parameters.texts)(self));
        let mut texts = texts.unwrap_or_default().into_iter();
        let texts = self.written.iter().map(|written| {
            let text = texts.next().flatten();
            text.unwrap_or_else(|| cut(written))
        });
        format!("({})", Vec::from_iter(texts).join(", "))
    }

    /// Returns the names of the roles of which these arguments of a dependency ask for one, each
    /// once.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(super) fn roles(&self, of: &Node) -> Vec<String> {
        let names = of.parameters().map(|parameters| (parameters.roles)(self));
        let mut roles = Vec::new();
        for name in names.into_iter().flatten() {
            if !roles.contains(&name) {
                roles.push(name);
            }
        }
        roles
    }
}

fn is_same<A: PartialEq + 'static>(first: &dyn Any, second: &dyn Any) -> bool {
    let values = |make: &dyn Any| make.downcast_ref::<fn() -> A>().map(|make| make());
    matches!((values(first), values(second)), (Some(first), Some(second)) if first == second)
}

/// The arguments as they are written.
impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({})", self.written.join(", "))
    }
}

/// A dependency with its arguments: `role(Admin)`. The text is made where it is written.
#[derive(Clone, Copy)]
pub(crate) struct Required<'n>(pub(crate) &'n Node, pub(crate) Option<&'n Arguments>);

impl fmt::Display for Required<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(node, arguments) = self;
        f.write_str(node.name())?;
        arguments.map_or(Ok(()), |arguments| f.write_str(&arguments.text(node)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::node::Function;

    const fn of<A: PartialEq>(make: &'static fn() -> A) -> Arguments {
        Arguments::comparable(make, &["…"])
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
        let incomparable = Arguments::new(&((|| (7,)) as fn() -> (u32,)), &["7"]);
        assert!(seven.are_met_by(&again) && seven.are_met_by(&incomparable));
        assert!(!seven.are_met_by(&eight) && !seven.are_met_by(&long));
        assert!(!incomparable.are_met_by(&seven));
    }

    /// A dependency that a macro rejected has no texts, and neither have values of other types.
    #[test]
    fn arguments_of_another_dependency_are_printed_as_they_are_written() {
        struct Limit;

        impl TakesArguments for Limit {
            type Arguments = (u32,);

            fn texts((limit,): &(u32,)) -> Texts {
                vec![Some(limit.to_string())]
            }
        }

        let limit = Function::new("limit").takes::<Limit>("limit").node(&[]);
        let rejected = Function::new("limit").node(&[]);
        let seven = Arguments::new(&((|| (7,)) as fn() -> (u32,)), &["3 + 4"]);
        let long = Arguments::new(&((|| (7,)) as fn() -> (u64,)), &["SEVEN", "more"]);
        assert_eq!(Required(&limit, Some(&seven)).to_string(), "limit(7)");
        assert_eq!(Required(&rejected, Some(&seven)).to_string(), "limit(3 + 4)");
        assert_eq!(Required(&limit, Some(&long)).to_string(), "limit(SEVEN, more)");
        assert_eq!(Required(&limit, None).to_string(), "limit");
    }
}
