//! A handler that counts on the layer around it: `#[secured(layer = caller, scopes("items"))]`.

use core::marker::PhantomData;
use std::sync::Arc;

use crate::credential::request_head::RequestHead as _;
use crate::dependency::context::{Context, LocalContext, SendContext};
use crate::dependency::layer::SecurityLayer;
use crate::dependency::{Dependency, LocalResolve, Resolve};
use crate::plan::cursor::Cursor;
use crate::plan::security_scopes::SecurityScopes;
use crate::{notice, trace};

/// What a layer leaves in a request that it has let in, in the extensions.
pub(crate) struct Passed<D> {
    /// The scopes that the layer requires.
    scopes: SecurityScopes,
    /// What a layer of the same dependency around this one has left.
    outer: Option<Arc<Self>>,
    dependency: PhantomData<fn() -> D>,
}

impl<D> Clone for Passed<D> {
    fn clone(&self) -> Self {
        Self {
            scopes: self.scopes,
            outer: self.outer.clone(),
            dependency: PhantomData,
        }
    }
}

impl<D> Passed<D> {
    fn requires(&self, scope: &&str) -> bool {
        let of_outer = || {
            self.outer
                .as_ref()
                .is_some_and(|outer| outer.requires(scope))
        };
        self.scopes.scopes().contains(scope) || of_outer()
    }
}

#[cfg_attr(
    not(any(
        feature = "actix-web4",
        feature = "poem3",
        feature = "salvo1",
        feature = "tower"
    )),
    expect(dead_code, reason = "used by the frameworks")
)]
impl<D: Dependency, State> SecurityLayer<D, State> {
    /// Returns what the layer leaves in a request, given what the layers around it have left.
    pub(crate) fn passed(&self, outer: Option<Passed<D>>) -> Passed<D> {
        Passed {
            scopes: self.plan.scopes(),
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

/// Refuses a request that has not passed a layer with these scopes.
fn check<D: Dependency, C: Context>(cx: &C, at: Cursor) -> Result<(), C::Rejection> {
    let passed: Option<Passed<D>> = cx.head().extension();
    let mut required = at.scopes().scopes().iter();
    if passed.is_some_and(|passed| required.all(|scope| passed.requires(scope))) {
        return Ok(());
    }
    let (name, scopes) = (D::NODE.name(), at.scopes().scope_str());
    trace::no_layer(name, scopes);
    notice::once(format_args!(
        "a handler counts on a layer that requires `{name}` and the scopes `{scopes}`, and there is none around it, so the answer is \
         a 500"
    ));
    Err(cx.fail())
}

impl<'r, C: SendContext, D: Dependency> Resolve<'r, C, ()> for BelowLayer<D> {
    async fn resolve(cx: &mut C, at: Cursor) -> Result<(), C::Rejection> {
        check::<D, C>(cx, at)
    }
}

impl<'r, C: LocalContext, D: Dependency> LocalResolve<'r, C, ()> for BelowLayer<D> {
    async fn resolve_local(cx: &mut C, at: Cursor) -> Result<(), C::Rejection> {
        check::<D, C>(cx, at)
    }
}
