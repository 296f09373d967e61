//! What stands at a door: the handler, and in the tests of a service its stand-in, which answers a
//! request of a [matrix](crate::testing::Callers::table). It extracts all arguments of the handler,
//! as axum does, and stops before the body.

#[cfg(feature = "testing")]
use core::any::{Any, TypeId};
#[cfg(feature = "testing")]
use core::future::{Ready, ready};
use core::marker::PhantomData;
#[cfg(feature = "testing")]
use core::pin::Pin;

#[cfg(feature = "testing")]
use axum::extract::Request;
use axum::handler::Handler;
#[cfg(feature = "testing")]
use axum::response::{IntoResponse, Response};

#[cfg(feature = "testing")]
use super::public_handler::IsPublic;
#[cfg(feature = "testing")]
use crate::dependency::probe::Probe;
use crate::plan::declaration::Declaration;

/// The arguments of a handler, as axum infers them: a marker, and then the parameters.
pub trait Arguments<S, How = ()>: 'static {
    /// Returns what extracts the arguments, if all of them are known.
    #[cfg(feature = "testing")]
    #[doc(hidden)]
    fn extract() -> Option<Extract<S>>;
}

/// The arguments are the parameters alone, and `M` is the marker that axum infers.
#[derive(Debug)]
pub struct Marked<M>(PhantomData<M>);

#[cfg(not(feature = "testing"))]
impl<T: 'static, S> Arguments<S> for T {}

#[cfg(not(feature = "testing"))]
impl<T: 'static, S> Arguments<S, Marked<()>> for T {}

/// Extracts the arguments of a handler. The response has [`Reached`] in its extensions if none
/// refused.
#[cfg(feature = "testing")]
pub(crate) type Extract<S> = fn(Request, S) -> Answering;

#[cfg(feature = "testing")]
type Answering = Pin<Box<dyn Future<Output = Response> + Send>>;

/// The answer in the place of the handler's body.
#[cfg(feature = "testing")]
#[derive(Clone, Copy, Debug)]
pub struct Reached;

#[cfg(feature = "testing")]
impl IntoResponse for Reached {
    fn into_response(self) -> Response {
        let mut response = http::StatusCode::NO_CONTENT.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// The arguments of another handler are not known.
#[cfg(feature = "testing")]
impl<T: 'static, S> Arguments<S> for IsPublic<T> {
    fn extract() -> Option<Extract<S>> {
        None
    }
}

/// Implements the trait for a list of parameters, and for each that is shorter.
#[cfg(feature = "testing")]
macro_rules! each_list {
    ($($first:ident $($rest:ident)*)?) => {
        each_list! { @ () (M, $($first, $($rest,)*)?) [$($first $($rest)*)?] }
        $(
            each_list! { @ (Marked<M>) ($first, $($rest,)*) [$first $($rest)*] }
            each_list! { $($rest)* }
        )?
    };
    (@ ($($how:tt)*) $arguments:ty [$($parameter:ident)*]) => {
        impl<M, S, $($parameter),*> Arguments<S, how!($($how)*)> for $arguments
        where
            fn($($parameter),*) -> Ready<Reached>: Handler<(M, $($parameter,)*), S>,
            Self: 'static,
        {
            fn extract() -> Option<Extract<S>> {
                Some(|request, state| {
                    let body: fn($($parameter),*) -> Ready<Reached> =
                        |$(_: $parameter),*| ready(Reached);
                    Box::pin(body.call(request, state))
                })
            }
        }
    };
}

#[cfg(feature = "testing")]
macro_rules! how {
    () => {
        ()
    };
    ($how:ty) => {
        $how
    };
}

#[cfg(feature = "testing")]
each_list! { T1 T2 T3 T4 T5 T6 T7 T8 T9 T10 T11 T12 T13 T14 T15 T16 }

/// Boxes a future. That of a function is boxed by axum, and returned as it is.
#[cfg(feature = "testing")]
fn boxed<F: Future<Output = Response> + Send + 'static>(future: F) -> Answering {
    let mut future = Some(future);
    let known: &mut dyn Any = &mut future;
    match known.downcast_mut::<Option<Answering>>().and_then(Option::take) {
        Some(boxed) => boxed,
        None => Box::pin(async move {
            match future {
                Some(future) => future.await,
                // Only a boxed one is taken.
                None => http::StatusCode::INTERNAL_SERVER_ERROR.into_response(),
            }
        }),
    }
}

/// Returns what a door registers for a handler.
#[cfg(not(feature = "testing"))]
pub(crate) fn at_door<H: Handler<T, S>, T: Arguments<S>, S>(handler: H, _: &Declaration) -> H {
    handler
}

/// Returns what a door registers for a handler.
#[cfg(feature = "testing")]
pub(crate) fn at_door<H: Handler<T, S>, T: Arguments<S>, S>(
    handler: H,
    declaration: &Declaration,
) -> AtDoor<H, S> {
    // A handler with layers of its own has another future, and nothing can stand in below them.
    let is_function = TypeId::of::<H::Future>() == TypeId::of::<Answering>();
    let extract = if is_function { T::extract() } else { None };
    AtDoor::new(handler, extract, declaration)
}

/// A handler, and what extracts its arguments.
#[cfg(feature = "testing")]
pub(crate) struct AtDoor<H, S> {
    handler: H,
    extract: Option<Extract<S>>,
    /// The number of the door.
    door: Option<usize>,
}

#[cfg(feature = "testing")]
impl<H, S> AtDoor<H, S> {
    pub(crate) const fn new(
        handler: H,
        extract: Option<Extract<S>>,
        declaration: &Declaration,
    ) -> Self {
        Self { handler, extract, door: declaration.door }
    }
}

#[cfg(feature = "testing")]
impl<H: Clone, S> Clone for AtDoor<H, S> {
    fn clone(&self) -> Self {
        Self { handler: self.handler.clone(), extract: self.extract, door: self.door }
    }
}

#[cfg(feature = "testing")]
impl<H, S: Send + Sync + 'static> AtDoor<H, S> {
    /// Answers a request of a matrix, if it has come to a door of the table.
    #[cold]
    fn asked<T>(self, probe: Probe, request: Request, state: S) -> Answering
    where
        H: Handler<T, S>,
    {
        let door = self.door.map(|door| door.to_string()).unwrap_or_default();
        if !probe.is_listed(&door) {
            return boxed(self.handler.call(request, state));
        }
        Box::pin(async move {
            let Some(extract) = self.extract else {
                probe.cannot_stand_in(&door);
                return Reached.into_response();
            };
            let response = extract(request, state).await;
            let is_reached = response.extensions().get::<Reached>().is_some();
            probe.extracted(&door, (!is_reached).then(|| response.status().as_u16()));
            response
        })
    }
}

#[cfg(feature = "testing")]
impl<H: Handler<T, S>, T, S: Send + Sync + 'static> Handler<T, S> for AtDoor<H, S> {
    type Future = Answering;

    #[inline]
    fn call(self, request: Request, state: S) -> Answering {
        match Probe::of(&request) {
            None => boxed(self.handler.call(request, state)),
            Some(probe) => self.asked(probe, request, state),
        }
    }
}
