//! The tokens that were verified for a request already. A tool of the request that asks for one of
//! them again need not verify it again, which would be one more question to its issuer.

use core::any::Any;
#[cfg(feature = "rmcp3")]
use core::any::TypeId;
use core::marker::PhantomData;
use std::sync::Arc;
#[cfg(feature = "rmcp3")]
use std::sync::{Mutex, PoisonError};

#[cfg(feature = "rmcp3")]
use crate::credential::presented::Presented;
#[cfg(feature = "rmcp3")]
use crate::credential::request_head::RequestHead;
#[cfg(feature = "rmcp3")]
use crate::plan::security_scopes::SecurityScopes;
#[cfg(feature = "rmcp3")]
use crate::scheme::Scheme;
#[cfg(feature = "rmcp3")]
use crate::scheme::config::SchemeConfig;
use crate::verify::Verified;
#[cfg(feature = "rmcp3")]
use crate::verify::Verify;

/// Keeps a verified token for others that ask for it: `None` for claims that cannot be shared.
pub(crate) type Keep<T> = Option<fn(Verified<T>) -> Arc<dyn Any + Send + Sync>>;

/// How the claims `T` are kept: `<KeepOf<T>>::KEEP`.
#[derive(Debug)]
pub struct KeepOf<T>(PhantomData<fn() -> T>);

impl<T: Send + Sync + 'static> KeepOf<T> {
    /// Keeps them.
    pub const KEEP: Keep<T> = Some(|verified| Arc::new(verified));
}

/// How any other claims are kept.
pub trait KeepNone<T> {
    /// Not at all.
    const KEEP: Keep<T> = None;
}

impl<T> KeepNone<T> for KeepOf<T> {}

/// The verified tokens of a request, in its extensions.
#[cfg(feature = "rmcp3")]
#[derive(Clone, Default)]
pub(crate) struct Recognised(Arc<Mutex<Vec<Token>>>);

/// A verified token.
#[cfg(feature = "rmcp3")]
struct Token {
    /// The scheme, and the place of its verifier.
    by: (TypeId, usize),
    presented: Presented,
    /// The scopes that the verifier was asked for.
    asked: SecurityScopes,
    scheme: &'static SchemeConfig,
    granted: Vec<String>,
    verified: Arc<dyn Any + Send + Sync>,
}

#[cfg(feature = "rmcp3")]
impl Recognised {
    /// Returns the tokens of a request, if the layer or a tool has asked to keep them.
    pub(crate) fn of(head: &impl RequestHead) -> Option<Self> {
        head.extension()
    }

    /// Returns a token that the scheme has verified, if it grants the scopes. Otherwise, the
    /// verifier is asked, and refuses it.
    pub(crate) fn recall<S: Scheme + 'static, V: Verify>(
        &self,
        verifier: &V,
        presented: &Presented,
        scopes: SecurityScopes,
    ) -> Option<Verified<V::Claims>>
    where
        V::Claims: 'static,
    {
        let tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = tokens.iter().find(|token| {
            let is_enough = V::CHECKS_SCOPES_LAST && scopes.check(&token.granted).is_ok();
            token.by == by::<S, V>(verifier)
                && token.presented.is_same(presented)
                && (is_enough || token.asked.is_same_set(scopes))
        });
        known?.verified.downcast_ref::<Verified<V::Claims>>().cloned()
    }

    /// Keeps a token that a scheme has verified.
    pub(crate) fn keep<S: Scheme + 'static, V: Verify>(
        &self,
        verifier: &V,
        presented: Presented,
        asked: SecurityScopes,
        verified: &Verified<V::Claims>,
        keep: Keep<V::Claims>,
    ) {
        let Some(keep) = keep else { return };
        let token = Token {
            by: by::<S, V>(verifier),
            presented,
            asked,
            scheme: &S::CONFIG,
            granted: verified.scopes().to_vec(),
            verified: keep(verified.clone()),
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(token);
    }

    /// Returns `true` if one of the tokens is of a scheme of this name and grants the scopes.
    pub(crate) fn grants(&self, scheme: &SchemeConfig, scopes: &[&str]) -> bool {
        let tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.iter().any(|token| {
            let granted = &token.granted;
            token.scheme == scheme && scopes.iter().all(|scope| scheme.grants(granted, scope))
        })
    }
}

#[cfg(feature = "rmcp3")]
fn by<S: 'static, V>(verifier: &V) -> (TypeId, usize) {
    (TypeId::of::<S>(), core::ptr::from_ref(verifier).addr())
}
