//! Services that say what they require: those behind a layer, and those inside `public("…", …)`.

use core::any::type_name;

use crate::adapters::shared::security_service::SecurityService;
use crate::dependency::Dependency;
use crate::plan::declaration::{Declaration, Public};

/// A service that is public, or behind a layer.
#[diagnostic::on_unimplemented(
    message = "this service is neither behind a layer nor public",
    label = "any caller could call it, and nothing says that they may",
    note = "write `layer!(…).layer(service)` with a scheme or a dependency, `layer!(…).already_around(service)` below such a layer, or `public(\"the reason\", service)` if anyone may call it"
)]
pub trait DeclaredService {
    /// Returns what the service declares.
    #[doc(hidden)]
    fn declaration(&self) -> Declaration;
}

#[diagnostic::do_not_recommend]
impl<T> DeclaredService for Public<T> {
    fn declaration(&self) -> Declaration {
        Declaration::public::<T>(self.reason)
    }
}

#[diagnostic::do_not_recommend]
impl<T, D: Dependency, State, Refusals> DeclaredService for SecurityService<T, D, State, Refusals> {
    fn declaration(&self) -> Declaration {
        of_layer(self)
    }
}

/// Returns what a layer declares for the one handler or service below it.
pub(crate) fn of_layer<T, D: Dependency, State, Refusals>(
    service: &SecurityService<T, D, State, Refusals>,
) -> Declaration {
    Declaration {
        root: D::NODE,
        scopes: service.layer.plan.scopes().scopes(),
        arguments: service.layer.plan.arguments(),
        reason: None,
        handler: type_name::<T>(),
        #[cfg(feature = "testing")]
        door: None,
        #[cfg(feature = "testing")]
        is_asked: false,
    }
}
