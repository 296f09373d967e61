//! State that a service creates once, as a parameter of dependencies and handlers.

use core::any::type_name;
use core::ops::Deref;
use std::sync::Arc;

use crate::notice;
use crate::refusal::rejection::Rejection;
use crate::syntax::debug_text::debug_only;
use crate::trace;

/// State that a service creates once, such as a connection pool or a token verifier, as a parameter
/// of dependencies and handlers.
///
/// The service installs the `Shared<T>` where its framework keeps such values, and a dependency
/// takes it by type: the same function on every framework. A clone shares the value.
/// [The guide](https://docs.rs/doorward/latest/doorward/guide/dependencies/index.html#shared-values) shows the line for each framework. Without
/// it, requests are answered with a `500`, and the log says what is missing (feature `tracing`). A
/// debug build also says it once on stderr.
///
/// ```
/// use std::collections::HashMap;
///
/// use doorward::{BearerError, BearerToken, Shared, dependency, http_bearer, plan};
///
/// #[http_bearer]
/// struct OAuth2;
///
/// /// The users of the tokens.
/// struct Tokens(HashMap<String, String>);
///
/// #[dependency]
/// async fn user(#[security(OAuth2)] token: BearerToken, tokens: Shared<Tokens>) -> Result<String, BearerError> {
///     tokens.0.get(token.as_str()).cloned().ok_or_else(BearerError::invalid_token)
/// }
///
/// # async fn resolve() -> Result<(), http::Response<String>> {
/// let tokens = Shared::new(Tokens(HashMap::from([("t0k3n".to_owned(), "johndoe".to_owned())])));
///
/// // Without a framework, it is in the extensions of each request.
/// let request = http::Request::builder().header("authorization", "Bearer t0k3n").extension(tokens);
/// let (mut head, ()) = request.body(()).unwrap_or_default().into_parts();
/// assert_eq!(plan!(user).resolve(&mut head).await?, "johndoe");
/// # Ok(())
/// # }
/// ```
///
/// The value can be a trait object, so that tests install another one:
///
/// ```
/// use std::sync::Arc;
///
/// use doorward::Shared;
///
/// trait Users: Send + Sync {
///     fn name(&self, token: &str) -> Option<String>;
/// }
///
/// struct Nobody;
///
/// impl Users for Nobody {
///     fn name(&self, _: &str) -> Option<String> {
///         None
///     }
/// }
///
/// let users: Arc<dyn Users> = Arc::new(Nobody);
/// let users: Shared<dyn Users> = users.into();
/// assert_eq!(users.name("t0k3n"), None);
/// ```
pub struct Shared<T: ?Sized>(Arc<T>);

impl<T> Shared<T> {
    /// Shares a value.
    #[must_use]
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T: ?Sized> Shared<T> {
    /// Returns the pointer to the value.
    #[must_use]
    pub fn into_inner(self) -> Arc<T> {
        self.0
    }

    /// Returns the value that an adapter has found. Without one, logs how to install it, and
    /// returns a 500.
    pub(crate) fn found(found: Option<&Self>, how: &'static str) -> Result<Self, Rejection> {
        found.cloned().ok_or_else(|| {
            let shared = type_name::<T>();
            trace::shared_not_installed(shared, how);
            notice::once(format_args!(
                "`Shared<{shared}>` is not installed, so the answer is a 500; {how}"
            ));
            Rejection::INTERNAL_SERVER_ERROR
        })
    }
}

impl<T: ?Sized> From<Arc<T>> for Shared<T> {
    fn from(value: Arc<T>) -> Self {
        Self(value)
    }
}

impl<T: ?Sized> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

debug_only! {
    /// Shows nothing of the value, which may be a key or a password of a database.
    [T: ?Sized] Shared<T>, "(<redacted>)"
}
