//! The service behind a layer.

use core::fmt;

use crate::dependency::layer::SecurityLayer;

/// A service behind a [`SecurityLayer`]. On poem, it is an endpoint.
pub struct SecurityService<S, D, State = (), Refusals = ()> {
    pub(super) inner: S,
    pub(super) layer: SecurityLayer<D, State, Refusals>,
}

impl<S, D, State: Clone, Refusals> SecurityService<S, D, State, Refusals> {
    /// Puts a layer around a service.
    pub(super) fn around(inner: S, layer: &SecurityLayer<D, State, Refusals>) -> Self {
        Self { inner, layer: layer.clone() }
    }
}

impl<S: Clone, D, State: Clone, Refusals> Clone for SecurityService<S, D, State, Refusals> {
    fn clone(&self) -> Self {
        Self::around(self.inner.clone(), &self.layer)
    }
}

impl<S: fmt::Debug, D, State, Refusals> fmt::Debug for SecurityService<S, D, State, Refusals> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecurityService").field("inner", &self.inner).finish_non_exhaustive()
    }
}
