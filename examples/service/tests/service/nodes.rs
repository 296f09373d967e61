//! Several nodes on one database.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::decode_header;
use serde_json::Value;
use tokio::task::JoinSet;

use crate::server::{Database, PASSWORD, PUBLIC, Server, program, send, with_john};

#[tokio::test]
async fn of_fifty_refreshes_on_two_nodes_one_wins() {
    let (database, first) = with_john().await;
    let second = Server::restart(&database);
    for _ in 0..5 {
        let token = first.log_in("johndoe", PASSWORD, "").await.refresh_token();
        let form =
            [("grant_type", "refresh_token"), ("client_id", "web"), ("refresh_token", &token)];
        let mut requests = JoinSet::new();
        for _ in 0..25 {
            requests.spawn(send(first.post("/token").form(&form)));
            requests.spawn(send(second.post("/token").form(&form)));
        }
        let answers = requests.join_all().await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!((won.len(), lost.len()), (1, 49), "{won:?}");
        for answer in lost {
            answer.assert_error(400, "invalid_grant");
        }
        for node in [&first, &second] {
            let notes = node.get("/notes").bearer_auth(won[0].access_token());
            send(notes).await.assert_status(401);
        }
    }
}

#[tokio::test]
async fn nodes_agree_on_a_new_key_and_forget_the_old_one() {
    let (database, old) = with_john().await;
    let rotate = || database.command().arg("--rotate-key").output().unwrap();
    let key_of = |token: &str| decode_header(token).unwrap().kid.unwrap();
    let keys_of = async |node: &Server| -> Vec<String> {
        let keys = send(node.get("/.well-known/jwks.json")).await.json();
        let keys = keys["keys"].as_array().unwrap().iter();
        keys.map(|key: &Value| key["kid"].as_str().unwrap().to_owned()).collect()
    };
    let is_accepted = async |node: &Server, token: &str| {
        send(node.get("/notes").bearer_auth(token)).await.assert_status(200);
    };
    let first = old.log_in("johndoe", PASSWORD, "").await.access_token();
    assert!(rotate().status.success());
    let again = rotate();
    assert!(String::from_utf8(again.stderr).unwrap().contains("is waiting"));

    // It is published, and does not sign.
    let new = Server::restart(&database);
    let second = new.log_in("johndoe", PASSWORD, "").await.access_token();
    assert_eq!(key_of(&second), key_of(&first));
    assert_eq!(keys_of(&new).await.len(), 2);
    new.kill();

    // Nobody waits for ten minutes.
    let pass = "UPDATE signing_keys SET signs_from = signs_from - 600";
    database.execute(pass).await;
    let new = Server::restart(&database);
    let third = new.log_in("johndoe", PASSWORD, "").await.access_token();
    assert_ne!(key_of(&third), key_of(&first));
    // A node that does not know a key reads it.
    for token in [&third, &first] {
        is_accepted(&old, token).await;
        is_accepted(&new, token).await;
    }
    let fourth = old.log_in("johndoe", PASSWORD, "").await.access_token();
    assert_eq!(key_of(&fourth), key_of(&third));

    database.execute(pass).await;
    let newest = Server::restart(&database);
    assert_eq!(keys_of(&newest).await, [key_of(&third)]);
    let purge = newest.post("/purge").header("x-api-key", old.first_secrets().key);
    send(purge).await.assert_status(204);
    let left = "SELECT count(*) FROM signing_keys WHERE pkcs8 <> ''";
    assert_eq!(database.value::<i64>(left).await, 1);
    // The empty one says that the database was filled.
    Server::restart(&database);
}

#[tokio::test]
async fn a_node_that_drains_serves_and_says_that_others_should() {
    let (database, _) = with_john().await;
    let mut node = program(&database);
    node.args(["--drain", "600"]);
    let node = Server::start_and_read(node, 3);
    send(node.get("/livez")).await.assert_status(200);
    let ready = send(node.get("/readyz")).await;
    ready.assert_status(200);
    assert!(ready.header("connection").is_empty());
    node.terminate();
    while send(node.get("/readyz")).await.status == 200 {}
    let livez = send(node.get("/livez")).await;
    livez.assert_status(200);
    assert_eq!(livez.header("connection"), ["close"]);
}

#[tokio::test]
async fn a_node_without_keys_is_not_ready() {
    let (database, node) = with_john().await;
    database.execute("DELETE FROM signing_keys").await;
    send(node.get("/readyz")).await.assert_status(503);
    send(node.get("/livez")).await.assert_status(200);
}

/// Sends wrong logins of one network to the nodes in turn, and returns how many were let through.
async fn tries(nodes: &[Server], network: &str) -> usize {
    for (count, node) in nodes.iter().cycle().enumerate() {
        let form = [
            ("grant_type", "password"),
            ("client_id", "web"),
            ("username", "Nobody"),
            ("password", "wrong"),
        ];
        let request = node.post("/token").form(&form);
        // Proxies add the address at the end. What the client has sent is before it.
        let header = [b"192.0.2.1 \xff, ", network.as_bytes()].concat();
        let request = request.header("x-forwarded-for", header);
        let answer = send(request).await;
        if answer.status == 429 {
            assert_eq!(answer.header("retry-after").len(), 1, "{answer:?}");
            return count;
        }
        answer.assert_error(400, "invalid_grant");
    }
    unreachable!("the nodes are tried in turn");
}

fn behind_a_proxy(database: &Database, shared: &[&str]) -> Server {
    let mut node = program(database);
    node.arg("--behind-proxy").args(shared);
    Server::start_and_read(node, 3)
}

#[tokio::test]
async fn the_proxy_says_who_the_client_is() {
    let (database, _) = with_john().await;
    let node = [behind_a_proxy(&database, &[])];
    for network in ["198.51.100.1", "198.51.100.2:5678", "2001:db8::1", "[2001:db8:0:1::]:1"] {
        let count = tries(&node, network).await;
        // One more for each six seconds that the others have taken.
        assert!((20..30).contains(&count), "{count}");
    }
}

#[tokio::test]
async fn many_networks_of_one_ipv6_customer_are_limited_together() {
    let (database, _) = with_john().await;
    let node = behind_a_proxy(&database, &[]);
    let started = Instant::now();
    let mut tried = 0;
    // A /52 has 4096 networks, each of which may try 20 times.
    for number in 0..400 {
        let form = [
            ("grant_type", "password"),
            ("client_id", "web"),
            ("username", "Nobody"),
            ("password", "wrong"),
        ];
        let network = format!("2001:db8:0:{number:x}::1");
        let answer = send(node.post("/token").form(&form).header("x-forwarded-for", network)).await;
        tried += u64::from(answer.status == 400);
    }
    // One more for each second.
    let most = 100 + started.elapsed().as_secs() + 1;
    assert!((100..=most).contains(&tried), "{tried} of {most}");
    tries(&[node], "2001:db8:1::1").await;
}

#[tokio::test]
async fn a_probe_needs_no_proxy_and_all_else_does() {
    let (database, _) = with_john().await;
    let node = behind_a_proxy(&database, &[]);
    for path in ["/livez", "/readyz"] {
        send(node.get(path)).await.assert_status(200);
    }
    send(node.get("/openapi.json")).await.assert_status(200);
    let (_, log) = node.kill();
    let errors: Vec<_> = log.lines().filter(|line| line.contains("ERROR")).collect();
    let [error] = errors[..] else { panic!("{errors:?}") };
    assert!(error.contains("/openapi.json") || error.contains("the proxy does not say"), "{error}");
}

#[tokio::test]
async fn a_proxy_that_the_service_was_not_told_about_is_warned_about_once() {
    let (_, node) = with_john().await;
    for _ in 0..3 {
        let request = node.get("/livez").header("x-forwarded-for", "192.0.2.1");
        send(request).await.assert_status(200);
    }
    let (_, log) = node.kill();
    assert_eq!(log.matches("without `--behind-proxy`").count(), 1, "{log}");
}

/// The clock of the database is moved, which has the same effect.
#[tokio::test]
async fn a_node_whose_clock_is_wrong_is_not_ready() {
    let (database, node) = with_john().await;
    if !database.is_postgres() {
        // SQLite has the clock of the node.
        send(node.get("/readyz")).await.assert_status(200);
        return;
    }
    let clock = |seconds: i64| {
        format!(
            "CREATE OR REPLACE FUNCTION unixepoch() RETURNS BIGINT LANGUAGE sql STABLE
            AS 'SELECT floor(extract(epoch FROM now()))::BIGINT + {seconds}'"
        )
    };
    for (seconds, status) in [(0, 200), (-120, 503), (120, 503), (5, 200)] {
        database.execute(&clock(seconds)).await;
        // Probes share an answer for a moment.
        tokio::time::sleep(Duration::from_millis(600)).await;
        send(node.get("/readyz")).await.assert_status(status);
        // Its tokens go by the clock of the database all the same.
        let token = node.log_in("johndoe", PASSWORD, "notes:read").await.access_token();
        let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
        let claims: Value = serde_json::from_slice(&payload).unwrap();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let issued = claims["iat"].as_u64().unwrap();
        assert!(issued.abs_diff(now.saturating_add_signed(seconds)) < 60, "{seconds} {issued}");
        assert_eq!(claims["exp"], issued + 300);
    }
    let (_, log) = node.kill();
    assert_eq!(log.matches("the clock of this node").count(), 2, "{log}");
}

/// What is between a node and PostgreSQL, and passes nothing on once it is cut.
struct Link {
    is_cut: Arc<AtomicBool>,
}

impl Link {
    /// Returns the URL to use in place of this one, too.
    fn to(url: &str) -> (Self, String) {
        let (before, rest) = url.split_once('@').unwrap();
        let (server, name) = rest.split_once('/').unwrap();
        let (server, is_cut) = (server.to_owned(), Arc::new(AtomicBool::new(false)));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let cut = is_cut.clone();
        spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let far = TcpStream::connect(&server).unwrap();
                for (from, to) in [(&near, &far), (&far, &near)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let cut = cut.clone();
                    spawn(move || pass(from, to, &cut));
                }
            }
        });
        (Self { is_cut }, format!("{before}@127.0.0.1:{port}/{name}"))
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, is_cut: &AtomicBool) {
    let mut read = [0; 16384];
    while let Ok(length @ 1..) = from.read(&mut read) {
        while is_cut.load(Relaxed) {
            sleep(Duration::from_millis(10));
        }
        if to.write_all(&read[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// It is neither refused nor told: what it has sent is not answered.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn a_node_that_is_cut_off_from_the_database_asks_to_come_again() {
    let (database, first) = with_john().await;
    let secrets = first.first_secrets();
    let login = first.log_in("johndoe", PASSWORD, "").await;
    let (link, url) = Link::to(&database.place());
    let mut node = Command::new(env!("CARGO_BIN_EXE_doorward-example-service"));
    node.args(["--database", &url, "--listen", "127.0.0.1:0", "--public-url", PUBLIC]);
    let node = node.stdout(Stdio::piped()).stderr(Stdio::piped());
    let node = Server::start_as(node.env("RUST_LOG", "info"), 3);
    let key = || node.post("/purge").header("x-api-key", &secrets.key);
    send(key()).await.assert_status(204);
    link.is_cut.store(true, Relaxed);
    send(node.get("/livez")).await.assert_status(200);
    let refresh = login.refresh_token();
    let notes = node.get("/notes").bearer_auth(login.access_token());
    let (key_answer, notes, refreshed, ready) = tokio::join!(
        send(key()),
        send(notes),
        node.refresh(&refresh, ""),
        send(node.get("/readyz"))
    );
    for answer in [&key_answer, &notes, &refreshed, &ready] {
        assert!([408, 503].contains(&answer.status), "{answer:?}");
    }
    send(node.get("/livez")).await.assert_status(200);
    // The other node goes on.
    send(first.get("/readyz")).await.assert_status(200);
    first.log_in("johndoe", PASSWORD, "").await.assert_status(200);

    link.is_cut.store(false, Relaxed);
    while send(node.get("/readyz")).await.status != 200 {}
    send(key()).await.assert_status(204);
}

/// Nobody answers at the port.
#[tokio::test]
#[ignore = "needs PostgreSQL"]
async fn an_outage_of_the_database_is_not_the_fault_of_a_caller() {
    let (database, first) = with_john().await;
    let (secrets, login) = (first.first_secrets(), first.log_in("johndoe", PASSWORD, "").await);
    let place = database.place();
    let (server, name) = place.rsplit_once('/').unwrap();
    let psql = |sql: &str| {
        let psql = Command::new("psql").args([&format!("{server}/postgres"), "-qc", sql]).status();
        assert!(psql.unwrap().success());
    };
    // As if it had gone, for this database alone.
    psql(&format!("ALTER DATABASE \"{name}\" WITH ALLOW_CONNECTIONS false"));
    psql(&format!(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    ));
    let key = first.post("/purge").header("x-api-key", &secrets.key);
    let notes = first.get("/notes").bearer_auth(login.access_token());
    for request in [key, notes] {
        let answer = send(request).await;
        answer.assert_status(503);
        assert_eq!(answer.header("retry-after"), ["1"]);
    }
    let refreshed = first.refresh(&login.refresh_token(), "").await;
    refreshed.assert_error(503, "temporarily_unavailable");
    assert_eq!(refreshed.header("retry-after"), ["1"]);
    psql(&format!("ALTER DATABASE \"{name}\" WITH ALLOW_CONNECTIONS true"));
    while send(first.get("/readyz")).await.status != 200 {}
    first.refresh(&login.refresh_token(), "").await.assert_status(200);
}

#[tokio::test]
async fn logins_are_refused_and_all_else_goes_on_while_valkey_is_gone() {
    let (database, server) = with_john().await;
    let login = server.log_in("johndoe", PASSWORD, "").await;
    let node = behind_a_proxy(&database, &["--shared", "valkey://127.0.0.1:1"]);
    let refused = node.log_in("johndoe", PASSWORD, "").await;
    refused.assert_error(503, "temporarily_unavailable");
    assert_eq!(refused.header("retry-after"), ["1"]);
    let refused = node.register("alice", PASSWORD).await;
    refused.assert_status(503);
    assert_eq!(refused.header("retry-after"), ["1"]);
    let refreshed = node.refresh(&login.refresh_token(), "").await;
    refreshed.assert_status(200);
    let notes = node.get("/notes").bearer_auth(refreshed.access_token());
    send(notes).await.assert_status(200);
    send(node.get("/readyz")).await.assert_status(200);
    let (_, log) = node.kill();
    assert_eq!(log.matches("Valkey is unreachable").count(), 2, "{log}");
}

/// Needs Valkey at `DOORWARD_VALKEY`, a URL.
#[tokio::test]
#[ignore = "needs Valkey"]
async fn nodes_count_logins_together_in_valkey() {
    let (database, _) = with_john().await;
    let valkey = std::env::var("DOORWARD_VALKEY").unwrap();
    let nodes = [(); 2].map(|()| behind_a_proxy(&database, &["--shared", &valkey]));
    // Another network in each run, because Valkey remembers.
    let network = format!("2001:db8:{:x}::1", std::process::id() & 0xffff);
    let count = tries(&nodes, &network).await;
    assert!((20..30).contains(&count), "{count}");
}
