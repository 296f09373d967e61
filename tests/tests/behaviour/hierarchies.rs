//! Below a function that takes `SecurityScopes`, all schemes have the same hierarchy: random trees
//! of schemes, functions and alternatives, against a model.

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use doorward::__rt::{Edge, Function, Node, OneOf, check_dependency};
use doorward::BearerToken;
use doorward::scheme::{Flow, Flows, SchemeConfig, Scope};
use proptest::collection::vec;
use proptest::prelude::*;

/// What may imply what.
const PAIRS: [(&str, &[&str]); 3] = [("a", &["b"]), ("b", &["c"]), ("c", &["d"])];

#[derive(Clone, Debug)]
enum Tree {
    Scheme {
        /// A flag for each of [`PAIRS`].
        implies: [bool; 3],
        /// Whether they are declared in the other order, and in two flows.
        is_reversed: bool,
        /// Whether it declares a scope that implies nothing.
        has_other: bool,
        is_optional: bool,
    },
    Above {
        is_list: bool,
        /// Each with whether it is `unscoped`.
        below: Vec<(Self, bool)>,
    },
}

fn trees() -> impl Strategy<Value = Tree> {
    // Few hierarchies, so that many trees have only one.
    let hierarchy = prop_oneof![
        Just([false; 3]),
        Just([true, true, false]),
        Just([true, true, false]),
        Just([true, false, true])
    ];
    let scheme = (hierarchy, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(implies, is_reversed, has_other, is_optional)| Tree::Scheme {
            implies,
            is_reversed,
            has_other,
            is_optional,
        },
    );
    scheme.prop_recursive(4, 12, 3, |below| {
        let below = (below, prop::bool::weighted(0.2));
        (any::<bool>(), vec(below, 1..4))
            .prop_map(|(is_list, below)| Tree::Above { is_list, below })
    })
}

impl Tree {
    fn node(&self) -> &'static Node {
        let node = match self {
            Self::Scheme { implies, is_reversed, has_other, is_optional } => {
                let pairs = PAIRS.into_iter().zip(*implies);
                let mut scopes: Vec<_> = pairs
                    .filter(|(_, implies)| *implies)
                    .map(|((name, implied), _)| Scope::new(name, "").with_implied(implied))
                    .collect();
                if *has_other {
                    scopes.push(Scope::new("other", ""));
                }
                if *is_reversed {
                    scopes.reverse();
                }
                let flow = Flow::new().with_scopes(scopes.leak());
                let flows = match is_reversed {
                    true => Flows::new().with_password(flow).with_implicit(flow),
                    false => Flows::new().with_password(flow),
                };
                scheme(*is_optional, flows)
            }
            Self::Above { is_list, below } => {
                let edges = below.iter().map(|(tree, is_unscoped)| {
                    let edge = Edge::new(tree.node(), &[]);
                    if *is_unscoped { edge.unscoped() } else { edge }
                });
                let edges = edges.collect::<Vec<_>>().leak();
                match is_list {
                    true => OneOf::new("", false).node(edges),
                    false => Function::new("").node(edges),
                }
            }
        };
        Box::leak(Box::new(node))
    }

    /// The model: the hierarchies of the schemes that count.
    fn hierarchies(&self, is_alternative: bool) -> BTreeSet<[bool; 3]> {
        match self {
            Self::Scheme { implies, has_other, is_optional, .. } => {
                let has_scopes = *has_other || implies.contains(&true);
                let counts = has_scopes || *is_optional || is_alternative;
                counts.then_some(*implies).into_iter().collect()
            }
            Self::Above { is_list, below } => {
                let scoped = below.iter().filter(|(_, is_unscoped)| !is_unscoped);
                scoped.flat_map(|(tree, _)| tree.hierarchies(is_alternative || *is_list)).collect()
            }
        }
    }
}

fn scheme(is_optional: bool, flows: Flows) -> Node {
    if is_optional {
        let config = SchemeConfig::new::<Option<BearerToken>>("S").with_flows(flows);
        return Node::scheme::<Option<BearerToken>>(Box::leak(Box::new(config)));
    }
    let config = SchemeConfig::new::<BearerToken>("S").with_flows(flows);
    Node::scheme::<BearerToken>(Box::leak(Box::new(config)))
}

proptest! {
    #[test]
    fn what_compiles_has_one_hierarchy(tree in trees()) {
        let edges = Box::leak(Box::new([Edge::new(tree.node(), &[])]));
        let compiles = |above: Function| catch_unwind(|| check_dependency(&above.node(edges))).is_ok();
        let function = Function::new("");
        prop_assert_eq!(compiles(function.asks_scopes()), tree.hierarchies(false).len() < 2);
        // Without the parameter, any number of them is fine.
        prop_assert!(compiles(function));
    }
}
