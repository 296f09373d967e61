//! Too many logins are refused, too many notes, and nothing else.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};

use serde_json::json;
use tokio::net::TcpSocket;

use crate::server::{Answer, Database, PASSWORD, Server, program, send, with_john};

#[tokio::test]
async fn too_many_logins_from_one_address_are_refused() {
    let database = Database::new();
    let server = Server::start(&database);
    let first = server.first_secrets();
    let login = server.log_in("admin", &first.admin, "").await;
    let mut tries = 1;
    let refused = loop {
        let answer = server.log_in("admin", "a guess", "").await;
        if answer.status == 429 {
            break answer;
        }
        answer.assert_error(400, "invalid_grant");
        tries += 1;
    };
    assert!(tries >= 20, "refused after {tries}");
    refused.assert_error(429, "temporarily_unavailable");
    let seconds: u32 = refused.header("retry-after")[0].parse().unwrap();
    assert!((1..=7).contains(&seconds), "{seconds}");
    // Not even the right password is looked at, and nobody registers.
    server.log_in("admin", &first.admin, "").await.assert_status(429);
    server.register("johndoe", "correct horse").await.assert_status(429);

    let mut token = login.refresh_token();
    for _ in 0..30 {
        let answer = server.refresh(&token, "").await;
        answer.assert_status(200);
        token = answer.refresh_token();
    }
}

#[tokio::test]
async fn a_client_without_the_grant_gets_no_refresh_token() {
    let (database, server) = with_john().await;
    let only = "UPDATE clients SET grants = 'password' WHERE id = 'web'";
    database.execute(only).await;
    let login = server.log_in("johndoe", PASSWORD, "").await;
    login.assert_status(200);
    assert_eq!(login.json().get("refresh_token"), None);
    // The login is one like any other.
    let notes = server.get("/notes").bearer_auth(login.access_token());
    send(notes).await.assert_status(200);
}

#[tokio::test]
async fn networks_that_fail_keep_nobody_out() {
    let (_database, mut server) = with_john().await;
    // The owner has never logged in: no network is known. Each of these takes what it can get.
    let mut refused = 0;
    for number in 1..=20 {
        server.come_from([127, 2, 0, number]);
        for _ in 0..5 {
            let answer = server.log_in("johndoe", "a guess", "").await;
            refused += u32::from(answer.status == 429);
        }
    }
    assert!(refused > 20, "{refused}");
    server.come_from([127, 0, 0, 7]);
    server.log_in("johndoe", "a slip", "").await.assert_status(400);
    let login = server.log_in("johndoe", PASSWORD, "").await;
    login.assert_status(200);
    // The owner changes the password, and their network is still known.
    let change = json!({ "old": PASSWORD, "new": "battery staple" });
    let change = server.put("/password").bearer_auth(login.access_token()).json(&change);
    send(change).await.assert_status(204);
    for _ in 0..5 {
        server.log_in("johndoe", "a guess", "").await.assert_status(400);
        server.log_in("johndoe", "battery staple", "").await.assert_status(200);
    }
}

#[tokio::test]
async fn guesses_from_many_addresses_are_limited_together_and_keep_nobody_out() {
    let (database, mut server) = with_john().await;
    // From here on, this address is known. The first login was from any.
    for (name, status) in [("johndoe", 200), ("nobody", 400)] {
        server.log_in(name, PASSWORD, "").await.assert_status(status);
    }
    // The first three of each address are counted for themselves.
    for number in 1..=20 {
        for name in ["johndoe", "nobody"] {
            server.come_from([127, 2, 0, number]);
            for _ in 0..3 {
                server.log_in(name, "a guess", "").await.assert_status(400);
            }
        }
    }
    let guess = async |server: &mut Server, name: &str, number: u8| {
        server.come_from([127, 2, 0, number]);
        server.log_in(name, "a guess", "").await
    };
    let seen = |answer: Answer| {
        let waits = answer.header("retry-after").len();
        (answer.status, answer.text, waits)
    };
    let mut tried = 0;
    for number in 1..=20 {
        let john = seen(guess(&mut server, "johndoe", number).await);
        // Nobody can tell whether there is an account.
        let nobody = seen(guess(&mut server, "nobody", number).await);
        assert_eq!(john, nobody);
        match john.0 {
            400 => tried += 1,
            status => assert_eq!((status, john.2), (429, 1)),
        }
    }
    assert!((9..=11).contains(&tried), "{tried}");
    let refused = guess(&mut server, "johndoe", 20).await;
    refused.assert_error(429, "temporarily_unavailable");
    let seconds: u32 = refused.header("retry-after")[0].parse().unwrap();
    assert!((1..=120).contains(&seconds), "{seconds}");

    // The owner logs in where they have before, and others log in anywhere.
    server.register("alice", PASSWORD).await.assert_status(201);
    server.log_in("alice", PASSWORD, "").await.assert_status(200);
    server.come_from([127, 0, 0, 1]);
    for _ in 0..5 {
        server.log_in("johndoe", "a guess", "").await.assert_status(400);
        server.log_in("johndoe", PASSWORD, "").await.assert_status(200);
    }
    // A month later, the address is one like any other, which has three tries. One of them was the
    // first login.
    database.execute("UPDATE known_networks SET expires_at = unixepoch() - 1").await;
    for status in [400, 400, 429] {
        server.log_in("johndoe", "a guess", "").await.assert_status(status);
    }
}

#[tokio::test]
async fn an_account_has_room_for_a_thousand_notes() {
    let (database, server) = with_john().await;
    let token = server.log_in("johndoe", PASSWORD, "").await.access_token();
    let john = database.id_of("johndoe").await;
    let fill = format!(
        "WITH RECURSIVE numbers (number) AS
            (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 999)
        INSERT INTO notes (account, text) SELECT '{john}', 'x' FROM numbers"
    );
    database.execute(&fill).await;
    let add = async |token: &str| {
        let note = server.post("/notes").bearer_auth(token);
        send(note.json(&json!({ "text": "Milk" }))).await
    };
    let last = add(&token).await;
    last.assert_status(201);
    let refused = add(&token).await;
    refused.assert_status(409);
    assert!(refused.json()["detail"].is_string(), "{refused:?}");

    // Another account is not full, and this one is not for ever.
    server.register("alice", PASSWORD).await.assert_status(201);
    let alice = server.log_in("alice", PASSWORD, "").await.access_token();
    add(&alice).await.assert_status(201);
    let path = format!("/notes/{}", last.json()["id"]);
    send(server.delete(&path).bearer_auth(&token)).await.assert_status(204);
    add(&token).await.assert_status(201);
}

/// Starts the service on one core.
fn on_one_core(database: &Database) -> Server {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let (_, cores) = status.split_once("Cpus_allowed_list:\t").unwrap();
    let core = cores.split([',', '-', '\n']).next().unwrap();
    let program = program(database);
    let mut taskset = Command::new("taskset");
    taskset
        .args(["-c", core])
        .arg(program.get_program())
        .args(program.get_args())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Server::start_as(&mut taskset, 7)
}

/// Each comes from another address, as in a botnet. Needs Linux.
#[tokio::test]
async fn logins_that_would_wait_too_long_are_refused_at_once() {
    let database = Database::new();
    let server = on_one_core(&database);
    let mut streams = Vec::new();
    for number in 0..200 {
        let socket = TcpSocket::new_v4().unwrap();
        let address = IpAddr::V4(Ipv4Addr::new(127, 2, 0, number));
        socket.bind(SocketAddr::new(address, 0)).unwrap();
        let stream = socket.connect(server.address).await.unwrap();
        let mut stream = stream.into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        let form = format!("grant_type=password&client_id=web&username=bot{number}&password=guess");
        let request = format!(
            "POST /token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{form}",
            form.len() + 1
        );
        stream.write_all(request.as_bytes()).unwrap();
        streams.push(stream);
    }
    for stream in &mut streams {
        stream.write_all(b"s").unwrap();
    }
    let (mut tried, mut refused) = (0, 0);
    for stream in &mut streams {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        if answer.starts_with("HTTP/1.1 400 ") {
            assert!(answer.contains("invalid_grant"), "{answer}");
            tried += 1;
        } else {
            assert!(answer.starts_with("HTTP/1.1 429 "), "{answer}");
            assert!(answer.contains("\r\nretry-after: 1\r\n"), "{answer}");
            refused += 1;
        }
    }
    assert!(tried >= 5 && refused > 0, "{tried} {refused}");
    // Now there is room again.
    server.log_in("nobody", "a guess", "").await.assert_error(400, "invalid_grant");
}
