//! Extracts a token in a framework: with our extractor, and with one written by hand.

use std::future::{Ready, ready as at_once};
use std::hint::black_box;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use doorward::{Security, plan, warp04};
use http::header::AUTHORIZATION;
use poem::RequestBody;
use salvo::Depot;
use salvo::extract::Metadata;
use salvo::http::StatusError;
use warp::Filter;

use crate::bearer::{Input, Password};
use crate::{Contender, ready};

/// A token in actix-web, extracted by hand.
pub struct ActixByHand(pub String);

impl actix_web::FromRequest for ActixByHand {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let line = request.headers().get("authorization").and_then(|line| line.to_str().ok());
        at_once(match token(line) {
            Some(token) => Ok(Self(token.to_owned())),
            None => Err(actix_web::error::ErrorUnauthorized("Not authenticated")),
        })
    }
}

/// A token in poem, extracted by hand.
pub struct PoemByHand(pub String);

impl<'a> poem::FromRequest<'a> for PoemByHand {
    async fn from_request(request: &'a poem::Request, _: &mut RequestBody) -> poem::Result<Self> {
        let line = request.headers().get(AUTHORIZATION).and_then(|line| line.to_str().ok());
        match token(line) {
            Some(token) => Ok(Self(token.to_owned())),
            None => Err(poem::Error::from_status(http::StatusCode::UNAUTHORIZED)),
        }
    }
}

/// A token in salvo, extracted by hand.
pub struct SalvoByHand(pub String);

impl<'ex> salvo::Extractible<'ex> for SalvoByHand {
    fn metadata() -> &'static Metadata {
        static METADATA: Metadata = Metadata::new("");
        &METADATA
    }

    #[allow(refining_impl_trait, reason = "as a user writes it")]
    async fn extract(
        request: &'ex mut salvo::Request,
        _: &'ex mut Depot,
    ) -> Result<Self, StatusError> {
        let line = request.headers().get(AUTHORIZATION).and_then(|line| line.to_str().ok());
        match token(line) {
            Some(token) => Ok(Self(token.to_owned())),
            None => Err(StatusError::unauthorized()),
        }
    }
}

/// A token in rocket, extracted by hand.
pub struct RocketByHand(pub String);

#[rocket::async_trait]
impl<'r> rocket::request::FromRequest<'r> for RocketByHand {
    type Error = ();

    async fn from_request(request: &'r rocket::Request<'_>) -> rocket::request::Outcome<Self, ()> {
        match token(request.headers().get_one("authorization")) {
            Some(token) => rocket::request::Outcome::Success(Self(token.to_owned())),
            None => rocket::request::Outcome::Error((rocket::http::Status::Unauthorized, ())),
        }
    }
}

/// Returns a filter that extracts a token in warp, written by hand.
fn warp_by_hand() -> impl Filter<Extract = (String,), Error = warp::Rejection> + Clone {
    #[derive(Debug)]
    struct Refused;
    impl warp::reject::Reject for Refused {}

    warp::header::optional("authorization").and_then(async |line: Option<String>| {
        token(line.as_deref()).map(str::to_owned).ok_or_else(|| warp::reject::custom(Refused))
    })
}

fn token(line: Option<&str>) -> Option<&str> {
    let (name, token) = line?.split_once(' ')?;
    name.eq_ignore_ascii_case("bearer").then_some(token)
}

fn in_actix<T: actix_web::FromRequest>(input: &Input) {
    black_box(&ready(T::from_request(black_box(&input.actix), &mut Payload::None)).ok());
}

fn in_poem<T: for<'a> poem::FromRequest<'a>>(input: &Input) {
    let body = &mut RequestBody::default();
    black_box(&ready(T::from_request(black_box(&input.poem), body)).ok());
}

fn in_salvo<T: for<'ex> salvo::Extractible<'ex>>(input: &Input) {
    let request = &mut *input.salvo.borrow_mut();
    let depot = &mut Depot::new();
    black_box(&ready(T::extract(black_box(request), depot)).ok());
}

fn in_rocket<T: for<'r> rocket::request::FromRequest<'r>>(input: &Input) {
    let request = black_box(input.rocket.inner());
    black_box(&ready(T::from_request(request)).succeeded());
}

fn in_warp<T: Send + 'static>(
    filter: impl Filter<Extract = (T,), Error = warp::Rejection> + 'static,
    input: &Input,
) {
    let mut request = warp::test::request();
    for (name, value) in black_box(&input.headers) {
        request = request.header(name.clone(), value.clone());
    }
    black_box(&ready(request.filter(&filter)).ok());
}

/// All contenders in pairs: ours, then by hand.
pub const ALL: [Contender<Input>; 10] = [
    Contender::new("actix-web, doorward", in_actix::<Security<Password>>),
    Contender::new("actix-web, by hand", in_actix::<ActixByHand>),
    Contender::new("poem, doorward", in_poem::<Security<Password>>),
    Contender::new("poem, by hand", in_poem::<PoemByHand>),
    Contender::new("salvo, doorward", in_salvo::<Security<Password>>),
    Contender::new("salvo, by hand", in_salvo::<SalvoByHand>),
    Contender::new("rocket, doorward", in_rocket::<Security<Password>>),
    Contender::new("rocket, by hand", in_rocket::<RocketByHand>),
    Contender::new("warp, doorward", |input| in_warp(warp04::security(plan!(Password)), input)),
    Contender::new("warp, by hand", |input| in_warp(warp_by_hand(), input)),
];
