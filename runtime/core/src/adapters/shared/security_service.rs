//! The service behind a layer.

use core::fmt;

use crate::dependency::layer::SecurityLayer;
use crate::syntax::debug_text::debug_only;

/// A service behind a [`SecurityLayer`]. On poem, it is an endpoint.
pub struct SecurityService<S, D, State = (), Refusals = ()> {
    pub(in crate::adapters) inner: S,
    pub(in crate::adapters) layer: SecurityLayer<D, State, Refusals>,
}

impl<S, D, State: Clone, Refusals> SecurityService<S, D, State, Refusals> {
    /// Puts a layer around a service.
    pub(in crate::adapters) fn around(inner: S, layer: &SecurityLayer<D, State, Refusals>) -> Self {
        Self { inner, layer: layer.clone() }
    }
}

impl<S: Clone, D, State: Clone, Refusals> Clone for SecurityService<S, D, State, Refusals> {
    fn clone(&self) -> Self {
        Self::around(self.inner.clone(), &self.layer)
    }
}

debug_only!([S: fmt::Debug, D, State, Refusals] SecurityService<S, D, State, Refusals> { inner });
