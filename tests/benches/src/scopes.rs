//! The scopes of a chain of dependencies, read by the last one.

use std::cell::RefCell;
use std::hint::black_box;

use doorward::{BearerToken, SecurityScopes, dependency, oauth2_password_bearer, plan};
use http::Request;
use http::request::Parts;

use crate::{Contender, Named, bearer, ready};

/// A request, and whether its chain has fifty scopes or one.
pub struct Input {
    is_many: bool,
    head: RefCell<Parts>,
}

/// Returns an input for one scope and one for fifty.
#[must_use]
pub fn inputs() -> [Named<Input>; 2] {
    [("1 scope", false), ("50 scopes", true)].map(|(name, is_many)| {
        let (mut head, ()) = Request::new(()).into_parts();
        head.headers = bearer::headers("Bearer t0k3n");
        (name, Input { is_many, head: RefCell::new(head) })
    })
}

#[dependency]
async fn reads(#[security(Many)] _token: BearerToken, scopes: SecurityScopes) -> usize {
    black_box(scopes.scopes()).len() + black_box(scopes.scope_str()).len()
}

macro_rules! many {
    ($($scope:literal)*) => {
        /// A scheme of fifty scopes.
        #[oauth2_password_bearer(token_url = "token", scopes($($scope = "One of many."),*))]
        pub struct Many;

        #[dependency]
        async fn needs_many(#[security(reads, scopes($($scope),*))] length: usize) -> usize {
            length
        }
    };
}

many! {
    "s01" "s02" "s03" "s04" "s05" "s06" "s07" "s08" "s09" "s10" "s11" "s12" "s13" "s14" "s15" "s16" "s17" "s18" "s19" "s20" "s21"
    "s22" "s23" "s24" "s25" "s26" "s27" "s28" "s29" "s30" "s31" "s32" "s33" "s34" "s35" "s36" "s37" "s38" "s39" "s40" "s41" "s42"
    "s43" "s44" "s45" "s46" "s47" "s48" "s49" "s50"
}

#[dependency]
async fn needs_one(#[security(reads, scopes("s01"))] length: usize) -> usize {
    length
}

/// The only contender: the whole chain.
pub const ALL: [Contender<Input>; 1] = [Contender::new("doorward, a chain's scopes", |input| {
    let head = &mut *input.head.borrow_mut();
    let length = if input.is_many {
        ready(plan!(needs_many).resolve(head))
    } else {
        ready(plan!(needs_one).resolve(head))
    };
    black_box(&length);
})];
