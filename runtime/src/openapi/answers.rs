//! The schemas of the token endpoint's answers, in utoipa's types.

use std::borrow::Cow;

use utoipa::openapi::schema::{Object, Schema, SchemaType, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::{TokenError, TokenResponse};

impl PartialSchema for TokenResponse {
    fn schema() -> RefOr<Schema> {
        let answer = ObjectBuilder::new()
            .property("access_token", of_type(Type::String))
            .property("token_type", of_type(Type::String))
            .property("expires_in", of_type(Type::Integer))
            .property("refresh_token", of_type(Type::String))
            .property("scope", of_type(Type::String))
            .required("access_token")
            .required("token_type");
        RefOr::T(answer.into())
    }
}

impl ToSchema for TokenResponse {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("TokenResponse")
    }
}

impl PartialSchema for TokenError {
    fn schema() -> RefOr<Schema> {
        let codes = [
            Self::invalid_request(""),
            Self::invalid_client(false),
            Self::invalid_grant(""),
            Self::unauthorized_client(""),
            Self::unsupported_grant_type(""),
            Self::invalid_scope(""),
        ];
        let code = ObjectBuilder::new().schema_type(Type::String);
        let answer = ObjectBuilder::new()
            .property(
                "error",
                code.enum_values(Some(codes.map(|error| error.code()))),
            )
            .property("error_description", of_type(Type::String))
            .property("error_uri", of_type(Type::String))
            .required("error");
        RefOr::T(answer.into())
    }
}

impl ToSchema for TokenError {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("TokenError")
    }
}

fn of_type(ty: Type) -> Object {
    Object::with_type(SchemaType::new(ty))
}
