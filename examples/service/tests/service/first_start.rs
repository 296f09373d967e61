//! The first start, which makes the tables and the secrets.

use std::io::{BufRead, BufReader, pipe};
use std::sync::Barrier;

use sqlx::{Connection, Executor};

use crate::server::{Database, Server, program, send};

const SECRETS: &str = "These secrets are new";

#[tokio::test]
async fn of_several_at_once_all_come_up_and_one_prints_the_secrets() {
    for _ in 0..5 {
        let database = Database::new();
        let barrier = Barrier::new(3);
        let servers: Vec<_> = std::thread::scope(|scope| {
            let start = || {
                barrier.wait();
                Server::start_and_read(program(&database), 3)
            };
            let threads = [scope.spawn(start), scope.spawn(start), scope.spawn(start)];
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let mut keys = Vec::new();
        let mut printed = String::new();
        for server in servers {
            // It answers after it has printed everything.
            let answer = send(server.get("/.well-known/jwks.json")).await;
            answer.assert_status(200);
            keys.push(answer.text);
            printed += &server.kill().0;
        }
        assert_eq!(printed.matches(SECRETS).count(), 1, "{printed}");
        assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    }
}

#[tokio::test]
async fn secrets_that_nobody_could_read_are_made_again() {
    let database = Database::new();
    // Nobody reads a line.
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    let output = program(&database).stdout(writer).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");

    // Nobody reads after the third line. The secrets wait until that is so.
    let mut opened = database.open().await;
    let mut filling = opened.begin().await.unwrap();
    let fill = "INSERT INTO signing_keys (id, pkcs8, signs_from) VALUES (1, '', 0)";
    filling.execute(fill).await.unwrap();
    let mut process = program(&database).spawn().unwrap();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut printed = String::new();
    for _ in 0..3 {
        stdout.read_line(&mut printed).unwrap();
    }
    assert_eq!(printed.lines().count(), 3, "{printed}");
    drop(stdout);
    filling.rollback().await.unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(1));

    let server = Server::start_and_read(program(&database), 7);
    let first = server.first_secrets();
    server.log_in("admin", &first.admin, "").await.assert_status(200);
}

#[tokio::test]
async fn a_database_that_is_something_else_is_refused_in_a_line() {
    let database = Database::new();
    let make = "CREATE TABLE signing_keys (id BIGINT)";
    database.execute(make).await;
    let output = program(&database).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let place = database.place();
    let place = place.rsplit_once('@').map_or(&*place, |(_, server)| server);
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.starts_with(&format!("{place}: ")), "{line}");
    assert!(line.contains("already exists"), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
}
