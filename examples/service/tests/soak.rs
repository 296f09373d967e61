//! The service under good, expired, replayed and hostile requests for a minute, or for
//! `DOORWARD_SOAK` seconds: every answer is the right one, and memory stays flat. Needs Linux.
//!
//! ```sh
//! cargo test -p doorward-example-service --test soak
//! ```

#[expect(dead_code, reason = "the other tests use more of it")]
#[path = "service/server.rs"]
mod server;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jsonwebtoken::{EncodingKey, Header};
use reqwest::{Client, RequestBuilder};
use serde_json::json;
use tokio::task::JoinSet;

use server::{Answer, Database, PASSWORD, Server, send, with_john};

/// The state that the workers share.
struct Soak {
    server: Server,
    pkcs8: Vec<u8>,
    until: Instant,
    count: AtomicUsize,
}

impl Soak {
    /// Says whether there is time for another round.
    fn goes_on(&self) -> bool {
        Instant::now() < self.until
    }

    async fn send(&self, request: RequestBuilder, expected: &[u16]) -> Answer {
        let answer = send(request).await;
        assert!(expected.contains(&answer.status), "{expected:?}: {answer:?}");
        self.count.fetch_add(1, Ordering::Relaxed);
        answer
    }

    /// Logs in from an address that has not tried often.
    async fn log_in(&self, client: &Client) -> Answer {
        let form = [
            ("grant_type", "password"),
            ("client_id", "web"),
            ("username", "johndoe"),
            ("password", PASSWORD),
        ];
        let url = format!("http://{}/token", self.server.address);
        self.send(client.post(url).form(&form), &[200]).await
    }

    async fn refresh(&self, token: &str, expected: u16) -> Answer {
        let form =
            [("grant_type", "refresh_token"), ("client_id", "web"), ("refresh_token", token)];
        self.send(self.server.post("/token").form(&form), &[expected]).await
    }
}

/// A client with a separate address: this machine has many.
fn client_from(number: usize) -> Client {
    let [.., high, low] = number.to_be_bytes();
    let address = IpAddr::V4(Ipv4Addr::new(127, 1, high, low));
    let client = Client::builder().local_address(address).pool_max_idle_per_host(0);
    client.build().unwrap()
}

/// A person who comes back all the time, and uses each token.
async fn good(soak: Arc<Soak>) {
    let mut token = soak.log_in(&client_from(0)).await;
    while soak.goes_on() {
        let access = token.access_token();
        let note = soak.server.post("/notes").bearer_auth(&access).json(&json!({ "text": "x" }));
        let note = soak.send(note, &[201]).await.json()["id"].clone();
        soak.send(soak.server.get("/notes").bearer_auth(&access), &[200]).await;
        let delete = soak.server.delete(&format!("/notes/{note}")).bearer_auth(&access);
        soak.send(delete, &[204]).await;
        token = soak.refresh(&token.refresh_token(), 200).await;
    }
}

/// A machine and a job.
async fn machines(soak: Arc<Soak>, secret: String, key: String) {
    while soak.goes_on() {
        let form = [("grant_type", "client_credentials")];
        let token = soak.server.post("/token").basic_auth("reporter", Some(&secret)).form(&form);
        let token = soak.send(token, &[200]).await.access_token();
        soak.send(soak.server.get("/stats").bearer_auth(token), &[200]).await;
        soak.send(soak.server.post("/purge").header("x-api-key", &key), &[204]).await;
    }
}

/// A thief, from many addresses: each login ends by a replay.
async fn replayed(soak: Arc<Soak>) {
    for number in 1.. {
        if !soak.goes_on() {
            return;
        }
        let first = soak.log_in(&client_from(number)).await.refresh_token();
        let second = soak.refresh(&first, 200).await.refresh_token();
        soak.refresh(&first, 400).await;
        soak.refresh(&second, 400).await;
        let form = [("client_id", "web"), ("token", &second)];
        soak.send(soak.server.post("/revoke").form(&form), &[200]).await;
    }
}

/// Tokens of the right key whose time is over, each another one.
async fn expired(soak: Arc<Soak>, header: Header) {
    let key = EncodingKey::from_ec_der(&soak.pkcs8);
    for number in 0.. {
        if !soak.goes_on() {
            return;
        }
        let claims = json!({
            "iss": "https://notes.example.com", "aud": "https://notes.example.com",
            "sub": "johndoe", "scope": "notes:read", "iat": 1, "exp": 2, "jti": number.to_string(),
        });
        let token = jsonwebtoken::encode(&header, &claims, &key).unwrap();
        soak.send(soak.server.get("/notes").bearer_auth(token), &[401]).await;
    }
}

/// Guesses, nonsense, and connections that end in the middle of a request.
async fn hostile(soak: Arc<Soak>) {
    let server = &soak.server;
    let form = "application/x-www-form-urlencoded";
    let long = "x".repeat(60_000);
    let deep = "[".repeat(60_000);
    for number in 0.. {
        if !soak.goes_on() {
            return;
        }
        let token = |body: String| server.post("/token").header("content-type", form).body(body);
        let guess =
            format!("grant_type=password&client_id=web&username=johndoe&password=guess-{number}");
        soak.send(token(guess), &[400, 429]).await;
        let guess = format!("grant_type=refresh_token&client_id=web&refresh_token=guess-{number}");
        soak.send(token(guess), &[400]).await;
        for body in [
            format!("grant_type=password&client_id={long}"),
            format!("grant_type={long}"),
            format!("grant_type=password&{}", "a=b&".repeat(10_000)),
            "grant_type=password&username=%ff%fe&password=%zz&client_id=%00".to_owned(),
            "=&=&&&=%".to_owned(),
        ] {
            soak.send(token(body), &[400]).await;
        }
        soak.send(token(long.repeat(2)), &[413]).await;
        for value in
            ["Bearer", "Bearer  ", "Bearer a b", "Basic !!", &format!("Bearer {long}")[..8_000]]
        {
            let request = server.get("/notes").header("authorization", value);
            soak.send(request, &[400, 401]).await;
        }
        let key = format!("purge-job.{number}");
        soak.send(server.post("/purge").header("x-api-key", key), &[401]).await;
        for body in [deep.clone(), "{".to_owned(), long.clone(), "{\"username\":1}".to_owned()] {
            let request = server.post("/accounts").header("content-type", "application/json");
            soak.send(request.body(body), &[400, 422]).await;
        }
        soak.send(server.get(&format!("/{number}/..%2f..%2fnotes.db")), &[404]).await;

        let mut half = TcpStream::connect(server.address).unwrap();
        let bytes =
            &b"POST /token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\ngrant"[..number % 57];
        half.write_all(bytes).unwrap();
    }
}

/// Runs all workers for some time, and returns the resident memory in KiB when all is quiet again.
async fn load(server: Server, database: &Database, time: Duration) -> (Server, usize, usize) {
    let pkcs8 = database.signing_key().await;
    let first = server.first_secrets();
    let until = Instant::now() + time;
    let soak = Arc::new(Soak { server, pkcs8, until, count: AtomicUsize::new(0) });
    let any = soak.log_in(&client_from(0)).await.access_token();
    let header = jsonwebtoken::decode_header(any).unwrap();
    let mut workers = JoinSet::new();
    workers.spawn(good(soak.clone()));
    workers.spawn(good(soak.clone()));
    workers.spawn(machines(soak.clone(), first.reporter, first.key));
    workers.spawn(replayed(soak.clone()));
    workers.spawn(expired(soak.clone(), header));
    workers.spawn(hostile(soak.clone()));
    workers.join_all().await;
    let soak = Arc::into_inner(soak).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", soak.server.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let resident = line.trim().strip_suffix(" kB").unwrap().parse().unwrap();
    (soak.server, soak.count.into_inner(), resident)
}

#[tokio::test]
async fn answers_stay_right_and_memory_stays_flat() {
    let seconds = std::env::var("DOORWARD_SOAK").map_or(60, |seconds| seconds.parse().unwrap());
    let time = Duration::from_secs(seconds);
    let (database, server) = with_john().await;
    // An account has a limit for all addresses that are not its own. All those here are.
    let john = database.id_of("johndoe").await;
    let know = format!(
        "WITH RECURSIVE numbers (number) AS
            (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 65535)
        INSERT INTO known_networks (account, network, expires_at)
            SELECT '{john}', format('127.1.%d.%d', number >> 8, number & 255), 1 << 40 FROM numbers"
    );
    database.execute(&know).await;
    // Until what is kept for connections, threads and remembered tokens is there.
    let (server, _, before) = load(server, &database, time / 2).await;
    let (_server, count, after) = load(server, &database, time).await;
    println!("{count} requests; memory {before} -> {after} KiB");
    assert!(count > 1000, "{count}");
    assert!(after <= before + before / 10, "{before} -> {after} KiB");
}
