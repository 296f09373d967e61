//! Bodies of hostile shapes and of three lengths: a row is a length, a case a shape.

use std::hint::black_box;

use tollgate::PasswordRequestForm;

use crate::Contender;
use crate::form::Borrowed;

/// A shape of a body.
pub struct Input {
    name: &'static str,
    bodies: [Vec<u8>; 3],
}

impl crate::Input for Input {
    fn name(&self) -> &'static str {
        self.name
    }
}

/// The shapes: a part that is repeated, and its place in the form.
#[must_use]
pub fn inputs() -> [Input; 6] {
    [
        Input::new("&", |_| "&".to_owned()),
        Input::new("k=v&", |_| "k=v&".to_owned()),
        Input::new("password=%41…", |index| {
            if index == 0 {
                "password=".to_owned()
            } else {
                "%41".to_owned()
            }
        }),
        Input::new("password=+…", |index| {
            if index == 0 {
                "password=".to_owned()
            } else {
                "+".to_owned()
            }
        }),
        Input::new("%41", |_| "%41".to_owned()),
        Input::new("distinct keys", |index| format!("key{index}=v&")),
    ]
}

impl Input {
    fn new(name: &'static str, part: fn(usize) -> String) -> Self {
        Self {
            name,
            bodies: [1_000, 32_000, 1_000_000].map(|length| shaped(part, length)),
        }
    }
}

/// A body of about this length.
pub fn shaped(part: fn(usize) -> String, length: usize) -> Vec<u8> {
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
    Contender {
        name: "1 KB",
        run: |input| decode(&input.bodies[0]),
    },
    Contender {
        name: "32 KB",
        run: |input| decode(&input.bodies[1]),
    },
    Contender {
        name: "1 MB",
        run: |input| decode(&input.bodies[2]),
    },
];
