//! The table of each plan, in an associated constant of the size that the plan needs.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "evaluated at compile time, where a panic is a compile error"
)]

use core::marker::PhantomData;

use crate::plan::branch::Branch;
use crate::plan::cursor::{Cursor, Row};
use crate::plan::layout::{Layout, measure};
use crate::plan::node::{Edge, Node};

/// A type that has a plan. For a handler, it is the marker of the first parameter.
pub trait HasPlan: 'static {
    /// The dependencies of the root.
    const EDGES: &'static [Edge];

    /// The root of the plan.
    const ROOT: &'static Node = &Node::root(Self::EDGES);

    /// The reason why the handler is public, if it is.
    const REASON: Option<&'static str> = None;

    /// The path of the handler, or the name of the tool.
    const NAME: &'static str = "";

    /// `false` if the layers around the handler alone say that a request is let in.
    const DECIDES: bool = true;
}

/// The plan of `P`, in a table of `UNITS` units: the smallest power of two with enough room.
///
/// The table is an associated constant, so the plan is laid out only at code generation.
/// `cargo check` only checks the scopes against the declared ones. The compiler looks through all
/// that a constant refers to, so there are as few of them as possible.
struct PlanTable<P, const UNITS: usize>(PhantomData<P>);

impl<P: HasPlan, const UNITS: usize> PlanTable<P, UNITS> {
    const LAYOUT: &'static Layout<UNITS> = &Layout::of(P::EDGES, root::<P>());
    const ROWS: &'static [Row] = &Self::LAYOUT.rows();

    /// A function, because the constant in it is evaluated only where the function is called.
    const fn rows() -> &'static [Row] {
        Self::ROWS
    }
}

/// Returns the root of the plan, if a branch of it has to know the whole. The compiler evaluates
/// the constant only then.
const fn root<P: HasPlan>() -> Option<&'static Node> {
    const fn known<P: HasPlan>() -> &'static Node {
        P::ROOT
    }
    let mut edges = P::EDGES;
    while let [edge, tail @ ..] = edges {
        if Branch::is_known(edge.node) {
            return Some(known::<P>());
        }
        edges = tail;
    }
    None
}

/// Returns the table of `P`, in the room that fits. Only constants call it: in code that runs, the
/// compiler would evaluate the tables of all sizes.
const fn rows<P: HasPlan>() -> &'static [Row] {
    match measure(P::EDGES).next_power_of_two() {
        ..=2 => PlanTable::<P, 2>::rows(),
        4 => PlanTable::<P, 4>::rows(),
        8 => PlanTable::<P, 8>::rows(),
        16 => PlanTable::<P, 16>::rows(),
        32 => PlanTable::<P, 32>::rows(),
        64 => PlanTable::<P, 64>::rows(),
        128 => PlanTable::<P, 128>::rows(),
        256 => PlanTable::<P, 256>::rows(),
        512 => PlanTable::<P, 512>::rows(),
        1024 => PlanTable::<P, 1024>::rows(),
        2048 => PlanTable::<P, 2048>::rows(),
        4096 => PlanTable::<P, 4096>::rows(),
        _ => panic!("`check_edges` refuses any plan that takes more room"),
    }
}

/// The position of the root's dependency with this number.
#[derive(Debug)]
pub struct CursorOf<P, const NUMBER: usize>(PhantomData<P>);

/// The position of a parameter in the plan of its handler.
pub trait PlanPosition {
    /// A type that represents the handler. It is the same for all its parameters.
    type Plan: HasPlan;

    /// The number of the parameter among the handler's secured parameters.
    const NUMBER: usize;

    /// The position.
    const CURSOR: Cursor;

    /// `true` for the last of the handler's secured parameters.
    const IS_LAST: bool = Self::NUMBER + 1 == Self::Plan::EDGES.len();

    /// The name of the dependency.
    #[cfg(feature = "rocket05")]
    const NAME: &'static str;
}

impl<P: HasPlan, const NUMBER: usize> PlanPosition for CursorOf<P, NUMBER> {
    type Plan = P;

    const NUMBER: usize = NUMBER;

    const CURSOR: Cursor = Cursor::root(rows::<P>()).child(NUMBER);

    #[cfg(feature = "rocket05")]
    const NAME: &'static str = match P::EDGES.split_at(NUMBER) {
        (_, [edge, ..]) => edge.node.name(),
        _ => "",
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::extent::UNIT;
    use crate::plan::node::Function;
    use crate::plan::security_scopes::SecurityScopes;

    /// Plans that depend on the previous plan twice, so each takes twice the room.
    macro_rules! doubled {
        ($first:ident $(, $next:ident)+) => {
            struct $first;

            impl HasPlan for $first {
                const EDGES: &'static [Edge] = &[];
            }

            doubled!(@ $first $(, $next)+);
        };
        (@ $before:ident, $next:ident $(, $rest:ident)*) => {
            struct $next;

            impl HasPlan for $next {
                const EDGES: &'static [Edge] = &[
                    Edge::new($before::ROOT, &["a"]),
                    Edge::new($before::ROOT, &["b"]),
                ];
            }

            doubled!(@ $next $(, $rest)*);
        };
        (@ $last:ident) => {};
    }

    doubled!(P1, P3, P7, P15, P31, P63, P127, P255, P511);

    #[test]
    fn a_plan_has_the_room_that_it_takes() {
        fn second<P: HasPlan>() -> SecurityScopes {
            <CursorOf<P, 1>>::CURSOR.scopes()
        }
        let plans = [
            second::<P3>,
            second::<P7>,
            second::<P15>,
            second::<P31>,
            second::<P63>,
            second::<P127>,
            second::<P255>,
            second::<P511>,
        ];
        for plan in plans {
            assert_eq!(plan().scopes, ["b"]);
        }
    }

    /// Each power of two has room for every plan that fits into it, and no plan takes more than it
    /// needs.
    #[test]
    fn a_plan_has_room_for_all() {
        struct Wide<const NODES: usize, const SCOPES: usize>;

        impl<const NODES: usize, const SCOPES: usize> Wide<NODES, SCOPES> {
            const LEAF: Node = Function::new("asker").asks_scopes().node(&[]);
            const EACH: [Edge; NODES] =
                [Edge::new(&Self::LEAF, Self::NAMES.split_at(SCOPES).0); NODES];
            const NAMES: &'static [&'static str] =
                &["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"];
        }

        impl<const NODES: usize, const SCOPES: usize> HasPlan for Wide<NODES, SCOPES> {
            const EDGES: &'static [Edge] = &Self::EACH;
        }

        fn holds<const NODES: usize, const SCOPES: usize>() {
            let rows = const { rows::<Wide<NODES, SCOPES>>() };
            let names = Wide::<NODES, SCOPES>::NAMES.split_at(SCOPES).0;
            let size =
                (NODES + 1).max(NODES * SCOPES).max((NODES * names.join(" ").len()).div_ceil(UNIT));
            assert_eq!(measure(Wide::<NODES, SCOPES>::EDGES), size);
            assert_eq!(rows.len(), size.next_power_of_two().max(2), "{NODES} {SCOPES}");
            for number in 0..NODES {
                let scopes = Cursor::root(rows).child(number).scopes();
                assert_eq!((scopes.scopes(), scopes.scope_str()), (names, &*names.join(" ")));
            }
            assert_eq!(Cursor::root(rows).scopes(), SecurityScopes::NONE);
        }

        holds::<0, 0>();
        holds::<1, 0>();
        holds::<1, 1>();
        holds::<2, 1>();
        holds::<3, 2>();
        holds::<4, 0>();
        holds::<7, 3>();
        holds::<8, 7>();
        holds::<15, 1>();
        holds::<31, 7>();
        holds::<1023, 4>();
    }

    /// A scope that is required above, or twice in one list, is there once.
    #[test]
    fn a_scope_is_there_once() {
        const LONG: &str = "a-scope-whose-name-is-longer-than-any-unit";
        const LEAF: &Node = &Function::new("asker").asks_scopes().node(&[]);
        const BELOW: &Node = &Function::new("below").node(&[Edge::new(LEAF, &["y", LONG])]);
        const MIDDLE: &Node = &Function::new("below").node(&[Edge::new(BELOW, &[LONG])]);

        struct Chain;
        impl HasPlan for Chain {
            const EDGES: &'static [Edge] = &[Edge::new(MIDDLE, &[LONG, LONG])];
        }

        let middle = CursorOf::<Chain, 0>::CURSOR;
        assert_eq!(middle.scopes().scopes, [LONG]);
        assert_eq!(middle.child(0).scopes().scopes, [LONG]);
        assert_eq!(middle.child(0).child(0).scopes().scopes, [LONG, "y"]);
        assert_eq!(middle.child(0).child(0).scopes().scope_str, format!("{LONG} y"));
    }

    /// Below an unscoped edge, the scopes that are required above take no room.
    #[test]
    fn unscoped_edges_cut_the_room() {
        const LEAF: &Node = &Function::new("asker").asks_scopes().node(&[]);
        const BELOW: &Node = &Function::new("below").node(&[Edge::new(LEAF, &["b"]).unscoped()]);
        const ABOVE: &[Edge] = &[Edge::new(BELOW, &["a", "aa", "aaa", "aaaa"])];

        struct Chain;
        impl HasPlan for Chain {
            const EDGES: &'static [Edge] = ABOVE;
        }

        assert_eq!(measure(ABOVE), 5);
        let below = CursorOf::<Chain, 0>::CURSOR;
        assert_eq!(below.scopes().scope_str, "a aa aaa aaaa");
        assert_eq!(below.child(0).scopes().scope_str, "b");
    }
}
