//! Items that generated code uses. Not part of the public interface.

mod broken;
mod checks;
mod families;
pub(crate) mod kinds;
mod macros;
mod responses;

pub use self::broken::{AnswerOf, Answers, Broken, Fails, IsAnswer, answer_of, broken};
pub use self::checks::*;
pub use self::families::{local, send};
pub use self::kinds::{
    AnyError, AnyOutput, AnyParameter, ErrorOf, OutputOf, ParameterOf, check_error,
    check_extractor, check_handler_extractor, check_output, is_answer,
};
pub use self::responses::*;

#[cfg(feature = "rocket05")]
pub use crate::adapters::rocket05::door::{ByCaller, RocketDoor};
pub use crate::dependency::below_layer::BelowLayer;
pub use crate::dependency::context::Reject;
pub use crate::dependency::extracted::{Extracted, IsNeeded, Movable, Needed};
pub use crate::dependency::handler::{Guard, LocalSecuredParameter, SecuredParameter};
#[cfg(feature = "live")]
pub use crate::dependency::live::asked::{AskedAgain, ExpiryOf, NoExpiry};
pub use crate::dependency::own_error::{NoOwnError, OwnError};
pub use crate::dependency::recall::NotKept;
pub use crate::dependency::recognised::{KeepNone, KeepOf};
pub use crate::dependency::verified::{NotVerifying, VerifiedBy};
pub use crate::dependency::{
    arguments, authenticate, cast, extractor_refused, has_authorization, is_meant, is_present,
    refuse_absent, reject, unless_lenient,
};
#[cfg(feature = "testing")]
pub use crate::dependency::{refuse, replaced_future, replaced_value};
pub use crate::form::decode::decode;
pub use crate::form::find::OwnName;
pub use crate::form::grant::{GrantName, choose, grant_type, granted, longest};
pub use crate::form::purpose::{Purpose, Unrecorded};
#[cfg(feature = "openapi")]
pub use crate::form::schema::FormSchema;
#[cfg(feature = "openapi")]
pub use crate::form::schema::{AnyValue, ValueOf, ValueType};
pub use crate::form::standard::Standard;
pub use crate::form::text::{AnyField, FieldOf};
pub use crate::form::value::{CustomField, FieldWay};
#[cfg(feature = "openapi")]
use crate::openapi::Operation;
#[cfg(feature = "utoipa5")]
pub use crate::openapi::utoipa::v5::either as utoipa5;
#[cfg(feature = "utoipa6")]
pub use crate::openapi::utoipa::v6::either as utoipa6;
pub use crate::plan::arguments::printed::{AnyArgument, ArgumentOf};
pub use crate::plan::arguments::roles::{
    EachAsRef, EachDisplay, Nameless, OneAsRef, OneDisplay, RolesOf,
};
pub use crate::plan::arguments::{Arguments, Texts};
pub use crate::plan::check::alternative::check_alternative;
pub use crate::plan::check::{
    check_decides, check_dependency, check_edges, check_extracted, check_guard, check_named,
    check_scope, check_scope_token, check_unverified,
};
pub use crate::plan::cursor::Cursor;
pub use crate::plan::declaration::PublicParameter;
pub use crate::plan::node::{Edge, Function, Node, OneOf};
pub use crate::plan::output_kind::OutputKind;
pub use crate::plan::table::{CursorOf, HasPlan, PlanPosition};
pub use crate::refusal::own_error::data::OwnErrorData;
#[cfg(feature = "openapi")]
pub use crate::refusal::own_error::description::ErrorDescription;
#[cfg(feature = "rocket05")]
pub use rocket::routes;

/// For `#[secured]` on a block of rmcp.
#[cfg(feature = "rmcp3")]
pub mod rmcp3 {
    pub use rmcp;

    pub use crate::adapters::http::late_refusal::refused;
    pub use crate::adapters::rmcp3::entry::routes;
    pub use crate::adapters::rmcp3::granted::list_granted;
    pub use crate::adapters::rmcp3::security_schemes::security_schemes;
    pub use crate::routes::entry::Entry;
}

/// For `#[secured]` on a block of tonic.
#[cfg(feature = "tonic014")]
pub mod tonic014 {
    pub use crate::adapters::tonic014::{met, refused, routes};
    pub use crate::routes::entry::Entry;
}

/// For the `routes!` of utoipa-axum 0.2.
#[cfg(feature = "utoipa-axum02")]
pub mod utoipa_axum02 {
    pub use utoipa_axum02::routes;

    pub use crate::adapters::utoipa_axum::v02::router::{with_handler, without_handlers};
}

/// For the `routes!` of utoipa-axum 0.3.
#[cfg(feature = "utoipa-axum03")]
pub mod utoipa_axum03 {
    pub use utoipa_axum::routes;

    pub use crate::adapters::utoipa_axum::v03::router::{with_handler, without_handlers};
}

/// Returns the requirement of a handler. `P` is the first marker of its plan.
#[cfg(feature = "openapi")]
#[must_use]
pub fn operation<P: HasPlan>() -> Operation {
    Operation::of_handler::<P>()
}

/// Returns the requirement of a handler, as a utoipa operation carries it.
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
#[must_use]
pub fn extension<P: HasPlan>() -> impl serde::Serialize {
    crate::openapi::Requirement::of(&operation::<P>()).packed()
}

/// What the macros of each framework's extractors name.
#[allow(missing_docs, reason = "documented where they are")]
pub mod extracted {
    #[cfg(feature = "actix-web4")]
    pub mod actix_web4 {
        pub use crate::adapters::actix_web4::extracted::*;
    }
    #[cfg(feature = "axum08")]
    pub mod axum08 {
        pub use crate::adapters::axum08::extracted::*;
    }
    #[cfg(feature = "poem3")]
    pub mod poem3 {
        pub use crate::adapters::poem3::extracted::*;
    }
    #[cfg(feature = "rocket05")]
    pub mod rocket05 {
        pub use crate::adapters::rocket05::extracted::*;
    }
    #[cfg(feature = "salvo1")]
    pub mod salvo1 {
        pub use crate::adapters::salvo1::extracted::*;
    }
}
