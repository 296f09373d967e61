//! A token as an extractor of a framework: ours, and what a user writes there by hand.

use std::future::{Ready, ready as at_once};
use std::hint::black_box;

use actix_web::HttpRequest;
use actix_web::dev::Payload;
use http::header::AUTHORIZATION;
use poem::RequestBody;
use tollgate::Security;

use crate::bearer::{Input, Password};
use crate::{Contender, ready};

/// A token as a user finds it in actix-web.
pub struct ActixByHand(pub String);

impl actix_web::FromRequest for ActixByHand {
    type Error = actix_web::Error;
    type Future = Ready<Result<Self, actix_web::Error>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let line = request
            .headers()
            .get("authorization")
            .and_then(|line| line.to_str().ok());
        at_once(match token(line) {
            Some(token) => Ok(Self(token.to_owned())),
            None => Err(actix_web::error::ErrorUnauthorized("Not authenticated")),
        })
    }
}

/// A token as a user finds it in poem.
pub struct PoemByHand(pub String);

impl<'a> poem::FromRequest<'a> for PoemByHand {
    async fn from_request(request: &'a poem::Request, _: &mut RequestBody) -> poem::Result<Self> {
        let line = request
            .headers()
            .get(AUTHORIZATION)
            .and_then(|line| line.to_str().ok());
        match token(line) {
            Some(token) => Ok(Self(token.to_owned())),
            None => Err(poem::Error::from_status(http::StatusCode::UNAUTHORIZED)),
        }
    }
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

/// In pairs: ours, then by hand.
pub const ALL: [Contender<Input>; 4] = [
    Contender {
        name: "actix-web, tollgate",
        run: in_actix::<Security<Password>>,
    },
    Contender {
        name: "actix-web, by hand",
        run: in_actix::<ActixByHand>,
    },
    Contender {
        name: "poem, tollgate",
        run: in_poem::<Security<Password>>,
    },
    Contender {
        name: "poem, by hand",
        run: in_poem::<PoemByHand>,
    },
];
