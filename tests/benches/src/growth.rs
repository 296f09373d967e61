//! Bodies of hostile shapes, each in three lengths. A row is a length, a case is a shape.

use std::hint::black_box;

use doorward::form::RequestForm;

use crate::form::Borrowed;
use crate::{Contender, Named};

/// The bodies of one shape.
pub struct Input {
    bodies: [Vec<u8>; 3],
}

/// A function that returns the part of a body at an index.
pub type Part = fn(usize) -> String;

/// The shapes: the name of each, and its parts.
pub const SHAPES: [(&str, Part); 6] = [
    ("&", |_| "&".to_owned()),
    ("k=v&", |_| "k=v&".to_owned()),
    ("password=%41…", |index| password(index, "%41")),
    ("password=+…", |index| password(index, "+")),
    ("%41", |_| "%41".to_owned()),
    ("distinct keys", |index| format!("key{index}=v&")),
];

fn password(index: usize, part: &str) -> String {
    if index == 0 { "password=" } else { part }.to_owned()
}

/// Returns the bodies of each shape.
#[must_use]
pub fn inputs() -> [Named<Input>; 6] {
    SHAPES.map(|(name, part)| {
        let bodies = [1_000, 32_000, 1_000_000].map(|length| shaped(part, length));
        (name, Input { bodies })
    })
}

/// Returns a body of about this length.
#[must_use]
pub fn shaped(part: Part, length: usize) -> Vec<u8> {
    let mut body = String::new();
    for index in 0.. {
        body += &part(index);
        if body.len() >= length {
            break;
        }
    }
    body.into_bytes()
}

fn decode(body: &[u8]) {
    black_box(&Borrowed::decode(black_box(body)));
}

/// A row for each length.
pub const ALL: [Contender<Input>; 3] = [
    Contender::new("1 KB", |input| decode(&input.bodies[0])),
    Contender::new("32 KB", |input| decode(&input.bodies[1])),
    Contender::new("1 MB", |input| decode(&input.bodies[2])),
];
