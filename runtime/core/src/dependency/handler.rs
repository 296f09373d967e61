//! The type that `#[secured]` gives to a handler's parameter.

use core::marker::PhantomData;

use crate::__both_families;
use crate::dependency::context::{LocalContext, SendContext};
use crate::dependency::decision::Decider;
#[cfg(feature = "testing")]
use crate::dependency::probe::probed;
use crate::dependency::{Dependency, LocalResolve, Resolve, decided};
use crate::plan::cursor::Cursor;
use crate::plan::declaration::met::met;
use crate::plan::table::PlanPosition;
use crate::syntax::debug_text::debug_only;

/// A handler's parameter that `#[secured]` fills: the value of a dependency, as an extractor of the
/// framework.
///
/// A test that calls the handler directly creates one from the value: `own_items(user.into())`.
pub struct Secured<T, P> {
    /// For generated code, which would otherwise call a function of each handler's own.
    #[doc(hidden)]
    pub value: T,
    pub(crate) parameter: PhantomData<fn() -> P>,
}

impl<T, P> Secured<T, P> {
    /// Returns the value.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T, P> From<T> for Secured<T, P> {
    fn from(value: T) -> Self {
        Self { value, parameter: PhantomData }
    }
}

debug_only!([T, P] Secured<T, P>, "(<redacted>)");

/// A parameter of a secured handler. A request of context `C` fills it with a `T`.
///
/// Generated code defines only what differs between handlers. Each function less saves compile
/// time.
pub trait SecuredParameter<'r, C: SendContext, T> {
    /// The parameter's position in the handler's plan. The parameter with the number 0 begins the
    /// handler.
    type Position: PlanPosition;

    /// The source of the value: the dependency, or [`Guard`].
    type Dependency: Resolve<'r, C, T>;

    /// `true` if the parameter declares its handler.
    const DECLARES: bool = true;

    /// `true` if a matrix of who may call what sees what becomes of the parameter.
    #[cfg(feature = "testing")]
    const IS_PROBED: bool = true;

    /// Resolves the dependency of the parameter at its position in the handler's plan.
    fn resolve(cx: &mut C) -> impl Future<Output = Result<T, C::Rejection>> + Send {
        if Self::DECLARES {
            met();
        }
        async {
            let mut resolved = Self::Dependency::resolve(cx, Self::Position::CURSOR).await;
            let by = const { Decider::of::<Self::Position>(Self::DECLARES) };
            decided::<C, _>(by, &mut resolved);
            #[cfg(feature = "testing")]
            if Self::IS_PROBED {
                return probed::<Self::Position, _, _>(cx, resolved);
            }
            resolved
        }
    }
}

/// Like [`SecuredParameter`], in a context whose futures stay on their thread.
pub trait LocalSecuredParameter<'r, C: LocalContext, T> {
    /// The parameter's position in the handler's plan.
    type Position: PlanPosition;

    /// The source of the value: the dependency, or [`Guard`].
    type Dependency: LocalResolve<'r, C, T>;

    /// `true` if the parameter declares its handler.
    const DECLARES: bool = true;

    /// `true` if a matrix of who may call what sees what becomes of the parameter.
    #[cfg(feature = "testing")]
    const IS_PROBED: bool = true;

    /// Resolves the dependency of the parameter at its position in the handler's plan.
    fn resolve(cx: &mut C) -> impl Future<Output = Result<T, C::Rejection>> {
        if Self::DECLARES {
            met();
        }
        async {
            let mut resolved = Self::Dependency::resolve(cx, Self::Position::CURSOR).await;
            let by = const { Decider::of::<Self::Position>(Self::DECLARES) };
            decided::<C, _>(by, &mut resolved);
            #[cfg(feature = "testing")]
            if Self::IS_PROBED {
                return probed::<Self::Position, _, _>(cx, resolved);
            }
            resolved
        }
    }
}

/// A guard: a dependency that is required only to refuse requests. Its value is dropped.
#[derive(Debug)]
pub struct Guard<D>(PhantomData<fn() -> D>);

__both_families! {
    impl<'r, C: __family::Context, D> __family::Resolve<'r, C, ()> for Guard<D>
    where
        D: Dependency + __family::Resolve<'r, C, D::Output>,
    {
        async fn resolve(cx: &mut C, at: Cursor) -> Result<(), C::Rejection> {
            D::resolve(cx, at).await.map(drop)
        }
    }
}
