//! Whether the error of a dependency is a response. Each framework has a type for the answer, so
//! that any of them suffices.
//!
//! `…ResponseOf<Result<T, E>>` has an inherent constant if `E` is a response of the framework. It
//! wins over the constant that a trait provides for every type. A framework that is not in the
//! build is [`Absent`].

use core::marker::PhantomData;

use http::Response;

/// `true` in a build without a framework, such as that of a library whose errors are for one: any
/// error may be a response then.
pub const MAY_BE_RESPONSE: bool = cfg!(not(any(
    feature = "axum08",
    feature = "actix-web4",
    feature = "poem3",
    feature = "rocket05",
    feature = "salvo1",
    feature = "warp04"
)));

/// The answer for any other type.
pub trait AnyResponse {
    /// `true` if the error is a response.
    const IS_RESPONSE: bool = false;
}

/// The answer of a framework that is not in the build.
#[derive(Debug)]
pub struct Absent<T>(PhantomData<T>);

impl<T> Absent<T> {
    /// `true` if the error is a response.
    pub const IS_RESPONSE: bool = false;
}

macro_rules! responses {
    ($($(#[cfg($cfg:meta)])? $of:ident: $($bound:path)|+ $(,)?;)*) => {$(
        /// The answer of the framework.
        $(#[cfg($cfg)])?
        #[derive(Debug)]
        pub struct $of<T>(PhantomData<T>);

        $(#[cfg($cfg)])?
        impl<T> AnyResponse for $of<T> {}

        $(#[cfg($cfg)])?
        impl<T, E: $($bound +)+> $of<Result<T, E>> {
            /// `true` if the error is a response.
            pub const IS_RESPONSE: bool = true;
        }

        $(
            #[cfg(not($cfg))]
            pub type $of<T> = Absent<T>;
        )?
    )*};
}

responses! {
    HttpResponseOf: Into<Response<String>>;
    #[cfg(feature = "actix-web4")]
    ActixWebResponseOf: Into<actix_web::Error>;
    #[cfg(feature = "axum08")]
    AxumResponseOf: axum::response::IntoResponse;
    #[cfg(feature = "poem3")]
    PoemResponseOf: Into<poem::Error>;
    #[cfg(feature = "rocket05")]
    RocketResponseOf: rocket::response::Responder<'static, 'static>;
    #[cfg(feature = "salvo1")]
    SalvoResponseOf: salvo_core::Writer | Send;
}
