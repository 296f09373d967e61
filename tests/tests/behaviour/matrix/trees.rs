//! Random trees: each cell is the answer to a real request, and no handler runs for it.

use std::fmt::Write as _;
use std::time::Instant;

use doorward::axum08::{Router, asked};
use http::Request;
use tower::ServiceExt;

use crate::{alternatives, trees};

/// Adds the credential of a caller to a request.
type Sends = Box<dyn Fn(&mut Request<()>)>;

/// Compares a matrix with the answers to real requests. `ran` counts the handlers that ran.
async fn compare(app: Router, callers: Vec<Sends>, ran: fn() -> usize) {
    let callers = Vec::leak(callers);
    let routes = app.routes();
    let before = ran();
    let mut matrix: Option<doorward::testing::Callers<'_>> = None;
    for (number, sends) in callers.iter().enumerate() {
        let credential = move |request: &mut Request<_>| {
            let mut plain = Request::new(());
            *plain.uri_mut() = request.uri().clone();
            sends(&mut plain);
            *request.uri_mut() = plain.uri().clone();
            *request.headers_mut() = plain.headers().clone();
        };
        let name = number.to_string();
        matrix = Some(match matrix {
            None => routes.asked_by(&name, credential),
            Some(matrix) => matrix.asked_by(&name, credential),
        });
    }
    let started = Instant::now();
    let who = matrix.unwrap().table(|ask| app.clone().oneshot(asked(ask))).await.unwrap();
    let took = started.elapsed();
    assert_eq!(ran(), before);
    let mut expected = String::new();
    let (mut cells, mut refused) = (0_u32, 0_u32);
    for route in &routes {
        write!(expected, "{} {}", route.method(), route.path()).unwrap();
        for sends in callers.iter() {
            let mut request = Request::get(route.path()).body(()).unwrap();
            sends(&mut request);
            let answer = app.clone().oneshot(request.map(|()| axum::body::Body::empty())).await;
            let status = answer.unwrap().status();
            refused += u32::from(!status.is_success());
            cells += 1;
            match status.is_success() {
                true => expected += " in",
                false => write!(expected, " {}", status.as_u16()).unwrap(),
            }
        }
        expected += "\n";
    }
    let rows = who.to_string();
    let rows =
        rows.lines().skip(1).map(|line| Vec::from_iter(line.split_whitespace()).join(" ") + "\n");
    assert_eq!(String::from_iter(rows), expected);
    assert!(refused > cells / 30 && refused < cells, "{refused} of {cells}");
    println!("{cells} cells, {:.0} in a second", f64::from(cells) / took.as_secs_f64());
}

#[tokio::test]
async fn each_cell_of_a_tree_is_the_answer_to_a_real_request() {
    let callers = (0..36).map(|number| -> Sends {
        Box::new(move |request| {
            request.headers_mut().insert("refused-by", number.into());
        })
    });
    compare(trees::routes(), callers.collect(), trees::ran).await;
}

#[tokio::test]
async fn each_cell_of_alternatives_is_the_answer_to_a_real_request() {
    let mut random = alternatives::numbers();
    let callers = (0..60).map(|_| -> Sends {
        let sent = alternatives::draw(&mut random);
        Box::new(move |request| alternatives::send(&sent, request))
    });
    compare(alternatives::routes(), callers.collect(), alternatives::ran).await;
}
