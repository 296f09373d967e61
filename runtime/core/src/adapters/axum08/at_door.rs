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

use axum::extract::Request;
use axum::handler::{Handler, HandlerService};
#[cfg(feature = "testing")]
use axum::response::{IntoResponse, Response};

#[cfg(feature = "testing")]
use crate::dependency::probe::Probe;
use crate::plan::declaration::Declaration;

/// The arguments of a handler, as axum infers them: a marker, and then the parameters.
pub trait Arguments<S, How = ()>: 'static {
    /// Returns what stands in for the handler.
    #[cfg(feature = "testing")]
    #[doc(hidden)]
    fn stand_in() -> StandIn<S>;
}

/// The arguments are the parameters alone, and `M` is the marker that axum infers.
#[derive(Debug)]
pub struct Marked<M>(PhantomData<M>);

/// The arguments of a handler inside `public("…", handler)`.
#[derive(Debug)]
pub struct IsPublic<T>(PhantomData<T>);

/// The arguments of a handler behind a layer of its own.
#[derive(Debug)]
pub struct IsBehindLayer<T>(PhantomData<T>);

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

/// What stands in for a handler.
#[cfg(feature = "testing")]
pub enum StandIn<S> {
    /// It extracts the arguments.
    Extract(Extract<S>),
    /// The handler behind the layer has a stand-in.
    BehindLayer,
    /// The arguments are not known.
    Nothing,
}

#[cfg(feature = "testing")]
impl<S> Clone for StandIn<S> {
    fn clone(&self) -> Self {
        *self
    }
}

#[cfg(feature = "testing")]
impl<S> Copy for StandIn<S> {}

/// The arguments of another handler are not known.
#[cfg(feature = "testing")]
impl<T: 'static, S> Arguments<S> for IsPublic<T> {
    fn stand_in() -> StandIn<S> {
        StandIn::Nothing
    }
}

#[cfg(feature = "testing")]
impl<T: 'static, S> Arguments<S> for IsBehindLayer<T> {
    fn stand_in() -> StandIn<S> {
        StandIn::BehindLayer
    }
}

/// The number of the door, in a request that goes to the handler behind a layer.
#[cfg(feature = "testing")]
#[derive(Clone, Copy)]
pub(crate) struct Door(Option<usize>);

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
            fn stand_in() -> StandIn<S> {
                StandIn::Extract(|request, state| {
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
    let stand_in = if is_function { T::stand_in() } else { StandIn::Nothing };
    AtDoor::new(handler, stand_in, declaration)
}

/// The service behind the layer of a handler.
#[cfg(not(feature = "testing"))]
pub(crate) type BehindLayer<H, T, S> = HandlerService<H, T, S>;

/// The service behind the layer of a handler.
#[cfg(feature = "testing")]
pub(crate) type BehindLayer<H, T, S> = HandlerService<AtDoor<H, S>, T, S>;

/// Returns what is behind the layer of a handler: the handler, or for a request of a matrix its
/// stand-in.
pub(crate) fn behind_layer<H: Handler<T, S>, T: Arguments<S>, S: Send + Sync + 'static>(
    handler: H,
    request: &mut Request,
    state: S,
) -> BehindLayer<H, T, S> {
    #[cfg(feature = "testing")]
    let handler = AtDoor {
        handler,
        stand_in: T::stand_in(),
        door: request.extensions_mut().remove().and_then(|Door(door)| door),
    };
    #[cfg(not(feature = "testing"))]
    let _ = request;
    handler.with_state(state)
}

/// A handler, and what stands in for it.
#[cfg(feature = "testing")]
pub struct AtDoor<H, S> {
    handler: H,
    stand_in: StandIn<S>,
    /// The number of the door.
    door: Option<usize>,
}

#[cfg(feature = "testing")]
impl<H, S> AtDoor<H, S> {
    pub(crate) const fn new(handler: H, stand_in: StandIn<S>, declaration: &Declaration) -> Self {
        Self { handler, stand_in, door: declaration.door }
    }
}

#[cfg(feature = "testing")]
impl<H: Clone, S> Clone for AtDoor<H, S> {
    fn clone(&self) -> Self {
        Self { handler: self.handler.clone(), stand_in: self.stand_in, door: self.door }
    }
}

#[cfg(feature = "testing")]
impl<H, S: Send + Sync + 'static> AtDoor<H, S> {
    /// Answers a request of a matrix, if it has come to a door of the table.
    #[cold]
    fn asked<T>(self, probe: Probe, mut request: Request, state: S) -> Answering
    where
        H: Handler<T, S>,
    {
        let door = self.door.map(|door| door.to_string()).unwrap_or_default();
        if !probe.is_listed(&door) {
            return boxed(self.handler.call(request, state));
        }
        match self.stand_in {
            StandIn::Extract(extract) => Box::pin(async move {
                let response = extract(request, state).await;
                let is_reached = response.extensions().get::<Reached>().is_some();
                probe.extracted(&door, (!is_reached).then(|| response.status().as_u16()));
                response
            }),
            StandIn::BehindLayer => {
                request.extensions_mut().insert(Door(self.door));
                boxed(self.handler.call(request, state))
            }
            StandIn::Nothing => {
                probe.cannot_stand_in(&door);
                Box::pin(ready(Reached.into_response()))
            }
        }
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
