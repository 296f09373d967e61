//! The declaration of a handler: it is secured, or public with a reason. A handler without one is
//! undecided, and does not pass a door.

pub(crate) mod met;

#[cfg(any(feature = "axum08", feature = "tonic014"))]
use core::any::type_name;
use core::marker::PhantomData;

#[cfg(any(feature = "axum08", feature = "rmcp3", feature = "tonic014"))]
use crate::plan::arguments::Arguments;
#[cfg(any(feature = "axum08", feature = "rmcp3", feature = "tonic014"))]
use crate::plan::node::Node;
use crate::plan::table::HasPlan;
use crate::syntax::debug_text::debug_only;

/// A parameter that declares its handler: the first one that `#[secured]` fills, the one that
/// `#[public]` adds, or the value of a `#[dependency(extract)]`.
pub trait Declares {
    /// The plan of the handler.
    type Plan: HasPlan;
}

/// A handler with the arguments `Arguments`, one of which declares it.
///
/// `Position` is inferred. It tells the impls apart, one for each place of the argument.
#[diagnostic::on_unimplemented(
    message = "this handler is neither secured nor public",
    label = "any caller could call it, and nothing says that they may",
    note = "write `#[secured(…)]` with a scheme or a dependency above the function, or `#[public(reason = \"…\")]` if anyone may call it",
    note = "around a closure, or a function of another crate, write `public(\"the reason\", handler)`, or, below a layer on axum, `layer!(…).already_around(handler)`"
)]
pub trait Declared<Arguments, Position> {
    /// Returns what the handler declares.
    #[doc(hidden)]
    #[cfg(feature = "axum08")]
    fn declaration(&self) -> Declaration;
}

/// What [`declared`](crate::declared) takes. `How` is inferred.
#[diagnostic::on_unimplemented(
    message = "this handler is neither secured nor public",
    label = "any caller could call it, and nothing says that they may",
    note = "write `#[secured(…)]` with a scheme or a dependency above the function, or `#[public(reason = \"…\")]` if anyone may call it; either goes above the framework's attribute, which must not be renamed by `use … as`",
    note = "around a handler of another crate, write `declared(public(\"the reason\", handler))`; a wrapper of your own goes around the door: `Wrapper(declared(handler))`"
)]
pub trait DeclaredAs<How> {
    /// The handler itself.
    type Handler;

    /// Returns the handler.
    #[doc(hidden)]
    fn into_handler(self) -> Self::Handler;
}

/// A type that a framework's attribute declares for a handler, below `#[secured]` or `#[public]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither secured nor public",
    label = "any caller could call it, and nothing says that they may",
    note = "write `#[secured(…)]` with a scheme or a dependency above the framework's attribute, or `#[public(reason = \"…\")]` if anyone may call it; the attribute must not be renamed by `use … as`"
)]
pub trait NamedHandler {
    /// For the path of a handler, at which the compiler then reports one that is undecided.
    #[doc(hidden)]
    const DECLARED: () = ();
}

/// The handler is known by its name.
#[derive(Debug)]
pub enum ByName {}

/// The handler says at its registration why it is public.
#[derive(Debug)]
pub enum ByReason {}

/// The handler is behind a layer of its own.
#[cfg(feature = "axum08")]
#[derive(Debug)]
pub enum ByLayer {}

#[diagnostic::do_not_recommend]
impl<H: NamedHandler> DeclaredAs<ByName> for H {
    type Handler = H;

    fn into_handler(self) -> H {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<H> DeclaredAs<ByReason> for Public<H> {
    type Handler = H;

    fn into_handler(self) -> H {
        self.inner
    }
}

/// The declaration of a handler.
#[cfg(any(feature = "axum08", feature = "rmcp3", feature = "tonic014"))]
#[cfg_attr(
    not(any(feature = "axum08", feature = "tonic014")),
    expect(unreachable_pub, reason = "the doors of axum name it")
)]
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// The root of the plan.
    pub(crate) root: &'static Node,
    /// The scopes that are required of the root, as of a layer's dependency.
    pub(crate) scopes: &'static [&'static str],
    /// The arguments with which the root is required.
    pub(crate) arguments: Option<&'static Arguments>,
    /// The reason why the handler is public, if it is.
    pub(crate) reason: Option<&'static str>,
    /// The path of the handler's function.
    pub(crate) handler: &'static str,
    /// The number of the door, if it can answer instead of the handler.
    #[cfg(feature = "testing")]
    pub(crate) door: Option<usize>,
    /// `true` if a matrix asks for it.
    #[cfg(feature = "testing")]
    pub(crate) is_asked: bool,
}

#[cfg(any(feature = "axum08", feature = "rmcp3", feature = "tonic014"))]
impl Declaration {
    /// Returns what a function with this plan declares, by its path.
    pub(crate) const fn of<P: HasPlan>(handler: &'static str) -> Self {
        Self::of_node(P::ROOT, P::REASON, handler)
    }

    /// Returns what the handler `H` with this plan declares.
    #[cfg(feature = "axum08")]
    pub(crate) fn of_handler<P: HasPlan, H>() -> Self {
        Self::of::<P>(type_name::<H>()).asked()
    }

    /// Gives the declaration a door that a matrix asks.
    #[cfg(feature = "axum08")]
    pub(crate) fn asked(self) -> Self {
        let declaration = self.at_door();
        #[cfg(feature = "testing")]
        let declaration = Self { is_asked: true, ..declaration };
        declaration
    }

    /// Gives the declaration a door of its own.
    #[cfg(any(feature = "axum08", feature = "tonic014"))]
    fn at_door(self) -> Self {
        #[cfg(feature = "testing")]
        {
            use core::sync::atomic::{AtomicUsize, Ordering};
            static DOORS: AtomicUsize = AtomicUsize::new(0);
            Self { door: Some(DOORS.fetch_add(1, Ordering::Relaxed)), ..self }
        }
        #[cfg(not(feature = "testing"))]
        self
    }

    const fn of_node(
        root: &'static Node,
        reason: Option<&'static str>,
        handler: &'static str,
    ) -> Self {
        Self {
            root,
            scopes: &[],
            arguments: None,
            reason,
            handler,
            #[cfg(feature = "testing")]
            door: None,
            #[cfg(feature = "testing")]
            is_asked: false,
        }
    }

    /// Returns the declaration of something public.
    #[cfg(any(feature = "axum08", feature = "tonic014"))]
    pub(crate) fn public<H>(reason: &'static str) -> Self {
        const NOTHING: &Node = &Node::root(&[]);
        Self::of_node(NOTHING, Some(reason), type_name::<H>()).at_door()
    }
}

/// A handler or a service that any caller may use. Created by [`public`](crate::public()).
#[derive(Clone, Copy, Debug)]
pub struct Public<H> {
    pub(crate) inner: H,
    #[cfg_attr(
        not(any(feature = "axum08", feature = "tonic014")),
        expect(dead_code, reason = "the doors of axum list it")
    )]
    pub(crate) reason: &'static str,
}

/// Declares that any caller may use a handler or a service, and why. Use it where you cannot write
/// `#[public]`: a closure, a function of another crate, a service.
///
/// A door takes it instead of a handler, and lists the reason in its table of routes. Nothing else
/// changes: requests reach the handler as before.
///
/// ```
/// # #[cfg(feature = "axum08")] {
/// use doorward::axum08::Router;
/// use doorward::axum08::routing::get;
/// use doorward::public;
///
/// let app: Router = Router::new().route("/health", get(public("load balancers ask it", async || "ok")));
/// assert_eq!(app.routes().to_string(), "GET  /health  public: load balancers ask it\n");
/// # }
/// ```
///
/// # Panics
///
/// Panics if the reason is empty, before anything is served, as axum's `route` does for a path
/// without a slash. That of the attribute is checked by the compiler.
#[must_use = "a door takes it: `get(public(\"…\", handler))`"]
#[track_caller]
pub fn public<H>(reason: &'static str, handler: H) -> Public<H> {
    assert!(!reason.trim().is_empty(), "`public` needs a reason; write why anyone may call this");
    Public { inner: handler, reason }
}

/// Returns a handler of actix-web, poem or salvo, and does not compile if it is undecided: neither
/// `#[secured]` nor `#[public]`. Write it around what you register.
///
/// ```
/// # #[cfg(feature = "actix-web4")] {
/// use actix_web::{App, web};
/// use doorward::{declared, public};
///
/// #[public(reason = "load balancers ask it")]
/// async fn health() -> &'static str {
///     "ok"
/// }
///
/// let app = App::new().route("/health", web::get().to(declared(health)));
/// # }
/// ```
///
/// On actix-web, the handler's secured parameters are then resolved before any other extractor is
/// polled.
///
/// Below an attribute of the framework, such as `#[get("/")]` or `#[handler]`, a handler is known
/// by its name. Such an attribute under another name, as after `use poem::handler as page`, is not
/// recognised, so the handler is refused.
pub fn declared<H: DeclaredAs<How>, How>(handler: H) -> H::Handler {
    handler.into_handler()
}

/// The parameter of a public handler, which `#[public]` adds: a function has no other place where a
/// door could see what it declares.
pub struct PublicParameter<P>(PhantomData<fn() -> P>);

impl<P> PublicParameter<P> {
    #[cfg(any(
        feature = "actix-web4",
        feature = "axum08",
        feature = "poem3",
        feature = "rocket05",
        feature = "salvo1"
    ))]
    pub(crate) fn of_request() -> Self {
        met::met();
        Self(PhantomData)
    }
}

/// A test that calls the handler directly passes `().into()`.
impl<P> From<()> for PublicParameter<P> {
    fn from((): ()) -> Self {
        Self(PhantomData)
    }
}

debug_only!([P] PublicParameter<P>, "");
