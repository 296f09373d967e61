//! A handler that counts on the layer around it: `#[secured(layer = caller, scopes("items"))]`.

use core::marker::PhantomData;
use std::sync::Arc;

use crate::credential::reason::RejectionReason;
use crate::credential::request_head::RequestHead as _;
use crate::dependency::context::Context;
#[cfg(feature = "tower")]
use crate::dependency::decision::Decider;
use crate::dependency::decision::cause;
use crate::dependency::layer::SecurityLayer;
#[cfg(feature = "tower")]
use crate::dependency::plan::Plan;
use crate::dependency::{Dependency, is_replaced};
use crate::plan::arguments::{Arguments, Required};
use crate::plan::cursor::Cursor;
use crate::plan::node::Node;
use crate::plan::security_scopes::SecurityScopes;
use crate::plan::trace;
use crate::{__both_families, notice};

/// The mark of a layer, in the extensions of a request that it has let in.
pub(crate) struct Passed<D> {
    /// The scopes that the layer requires.
    scopes: SecurityScopes,
    /// The arguments with which it requires the dependency.
    arguments: Option<&'static Arguments>,
    /// The mark of a layer of the same dependency around this one.
    outer: Option<Arc<Self>>,
    dependency: PhantomData<fn() -> D>,
}

impl<D> Clone for Passed<D> {
    fn clone(&self) -> Self {
        Self {
            scopes: self.scopes,
            arguments: self.arguments,
            outer: self.outer.clone(),
            dependency: PhantomData,
        }
    }
}

impl<D> Passed<D> {
    /// Returns `true` if this layer, or one around it, requires a scope with these arguments.
    fn requires(&self, arguments: Option<&Arguments>, scope: &str) -> bool {
        self.any(&|layer| layer.has(arguments) && layer.scopes.scopes().contains(&scope))
    }

    /// Returns `true` if the layer requires the dependency with these arguments.
    fn has(&self, arguments: Option<&Arguments>) -> bool {
        match (arguments, self.arguments) {
            (Some(arguments), Some(of_layer)) => arguments.are_met_by(of_layer),
            (arguments, of_layer) => arguments.is_none() && of_layer.is_none(),
        }
    }

    /// Returns `true` if something is true of this layer, or of one around it.
    fn any(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        is(self) || self.outer.as_ref().is_some_and(|outer| outer.any(is))
    }
}

#[cfg_attr(
    not(any(feature = "actix-web4", feature = "poem3", feature = "salvo1", feature = "tower")),
    expect(dead_code, reason = "used by the frameworks")
)]
impl<D: Dependency, State, Refusals> SecurityLayer<D, State, Refusals> {
    /// Returns what the layer leaves in a request, given what the layers around it have left.
    pub(crate) fn passed(&self, outer: Option<Passed<D>>) -> Passed<D> {
        Passed {
            scopes: self.plan.scopes(),
            arguments: self.plan.arguments(),
            outer: outer.map(Arc::new),
            dependency: PhantomData,
        }
    }

    /// Leaves in a request that the layer has let it in.
    #[cfg(any(feature = "poem3", feature = "salvo1", feature = "tower"))]
    pub(crate) fn let_in(&self, extensions: &mut http::Extensions) {
        let passed = self.passed(extensions.remove());
        extensions.insert(passed);
    }
}

/// A guard that the layer around a handler has resolved.
#[derive(Debug)]
pub struct BelowLayer<D>(PhantomData<fn() -> D>);

#[cfg(feature = "tower")]
impl<D: Dependency> Plan<D> {
    /// Returns this plan for a place below a layer, which has resolved it, and says that a request is
    /// let in.
    pub(crate) const fn below_layer(self) -> Plan<BelowLayer<D>> {
        let by = Decider { lets_in: false, ..self.by };
        Plan { at: self.at, by, dependency: PhantomData }
    }
}

impl<D: Dependency> Dependency for BelowLayer<D> {
    type Output = ();

    const NODE: &'static Node = D::NODE;
}

/// Refuses a request that has not passed a layer with these arguments and scopes. A dependency that
/// a test replaces counts as a layer, so that the test needs none around the handler.
fn check<D: Dependency, C: Context>(cx: &C, at: Cursor) -> Result<(), C::Rejection> {
    if is_replaced::<D, C>(cx) {
        return Ok(());
    }
    let passed: Option<Passed<D>> = cx.head().extension();
    let (arguments, mut required) = (at.arguments(), at.scopes().scopes().iter());
    if passed.is_some_and(|passed| {
        passed.any(&|layer| layer.has(arguments))
            && required.all(|scope| passed.requires(arguments, scope))
    }) {
        return Ok(());
    }
    let scopes = at.scopes().scope_str();
    cause(D::NODE, at, Some(RejectionReason::Misconfigured), None);
    trace::no_layer(D::NODE, arguments, scopes);
    let with = if scopes.is_empty() { "" } else { " with the scopes " };
    notice::once(format_args!(
        "a handler counts on a layer that requires `{}`{with}{scopes}, and there is none around it, so the answer is a 500",
        Required(D::NODE, arguments)
    ));
    Err(cx.fail())
}

__both_families! {
    impl<C: __family::Context, D: Dependency> __family::Resolve<'_, C, ()> for BelowLayer<D> {
        async fn resolve(cx: &mut C, at: Cursor) -> Result<(), C::Rejection> {
            check::<D, C>(cx, at)
        }
    }
}
