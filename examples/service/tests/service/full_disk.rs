//! A disk that is full for a moment. What was acknowledged is kept, also by what is written once
//! there is space again, and a restart finds it.
//!
//! On Linux, SQLite gets no space by `prlimit`, which needs no rights. PostgreSQL has a server of
//! its own, on a small disk: `DOORWARD_POSTGRES_DISK` is a folder there.

use std::collections::BTreeSet;
use std::fs::{File, remove_file};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::server::{Answer, Database, PASSWORD, Server, program, send};

/// Only a test that fails waits for its end.
const FOR_EVER: Duration = Duration::from_secs(120);

/// What takes the space of the database.
enum Disk {
    /// The limit of files that the server writes.
    Limit(Server),
    /// A file that fills the disk of PostgreSQL.
    Filler(Server, PathBuf),
}

impl Disk {
    fn new(database: &Database, server: Server) -> Self {
        if !database.is_postgres() {
            return Self::Limit(server);
        }
        let folder =
            std::env::var("DOORWARD_POSTGRES_DISK").expect("`tests/service/tests` sets it");
        Self::Filler(server, PathBuf::from(folder).join("filler"))
    }

    const fn server(&self) -> &Server {
        match self {
            Self::Limit(server) | Self::Filler(server, _) => server,
        }
    }

    fn fill(&self) {
        match self {
            // Of the hard limit, nothing is taken, so it can be lifted.
            Self::Limit(server) => limit(server, "4096:unlimited"),
            Self::Filler(_, path) => {
                let mut filler = File::create(path).unwrap();
                while filler.write_all(&[0; 4096]).is_ok() {}
            }
        }
    }

    /// Some files of PostgreSQL's log have space already. The next one has none, which ends the
    /// server.
    async fn end_log(&self, database: &Database) {
        if let Self::Filler(..) = self {
            let mut opened = database.open().await;
            let sql = "SELECT pg_logical_emit_message(false, 'x', 'x'), pg_switch_wal()
                FROM generate_series(1, 2000)";
            let _ = sqlx::raw_sql(sql).execute(&mut opened).await;
        }
    }

    async fn free(&self) {
        match self {
            Self::Limit(server) => limit(server, "unlimited:unlimited"),
            Self::Filler(_, path) => remove_file(path).unwrap(),
        }
        let started = Instant::now();
        while send(self.server().get("/readyz")).await.status != 200 {
            assert!(started.elapsed() < FOR_EVER, "it is not ready");
        }
    }

    fn kill(self) {
        match self {
            Self::Limit(server) | Self::Filler(server, _) => drop(server.kill()),
        }
    }
}

fn limit(server: &Server, size: &str) {
    let (size, id) = (format!("--fsize={size}"), format!("--pid={}", server.id()));
    assert!(Command::new("prlimit").args([size, id]).status().unwrap().success());
}

/// Starts the service so that a file that is too long is an error, as on a full disk.
fn start(database: &Database) -> Server {
    let program = program(database);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", r#"trap '' XFSZ && exec "$0" "$@""#])
        .arg(program.get_program())
        .args(program.get_args())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Server::start_as(&mut shell, 7)
}

/// What clients were told.
#[derive(Default)]
struct Told {
    /// The texts of notes that were added, and of those that were deleted.
    notes: BTreeSet<String>,
    deleted: BTreeSet<String>,
    /// The names of accounts.
    accounts: Vec<String>,
    /// The refresh tokens of each login: the last one is not spent, unless an answer was lost.
    logins: Vec<(Vec<String>, bool)>,
    /// The refresh tokens of logins that were ended.
    ended: Vec<String>,
    /// By account: what the password may be.
    passwords: Vec<(String, Vec<&'static str>)>,
}

/// Returns `true` if it has happened. On a full disk, the service may say that it has failed.
fn happened(answer: &Answer, status: u16, is_full: bool) -> bool {
    // A request that waits for the database too often gets a 408.
    let failed = is_full && [408, 503].contains(&answer.status);
    assert!(failed || answer.status == status, "{answer:?}");
    let says_when = answer.header("retry-after").len() == 1;
    assert!(answer.status != 503 || says_when, "{answer:?}");
    !failed
}

impl Told {
    async fn log_in(&self, server: &Server, username: &str) -> Answer {
        let answer = server.log_in(username, PASSWORD, "").await;
        answer.assert_status(200);
        answer
    }

    /// Prepares what is written later.
    async fn prepare(server: &Server) -> Vec<Round> {
        let mut rounds = Vec::new();
        for number in 0..4 {
            let account = format!("owner-{number}");
            server.register(&account, PASSWORD).await.assert_status(201);
            let told = Self::default();
            let keeps = told.log_in(server, &account).await;
            let leaves = told.log_in(server, &account).await.refresh_token();
            let note = server.post("/notes").bearer_auth(keeps.access_token());
            let note = send(note.json(&json!({ "text": format!("{account} first") }))).await;
            note.assert_status(201);
            let changes = format!("changer-{number}");
            server.register(&changes, PASSWORD).await.assert_status(201);
            let token = told.log_in(server, &changes).await.access_token();
            rounds.push(Round {
                account,
                keeps,
                leaves,
                note: note.json()["id"].clone(),
                changes,
                token,
            });
        }
        rounds
    }

    /// Sends each kind of write.
    async fn write(&mut self, server: &Server, round: &Round, is_full: bool, key: &str) {
        let Round { account, keeps, leaves, note, changes, token } = round;
        let bearer = keeps.access_token();
        let text = format!("{account} second");
        let add = server.post("/notes").bearer_auth(&bearer).json(&json!({ "text": text }));
        let path = format!("/notes/{note}");
        let registered = format!("new-{account}");
        let mut tokens = vec![keeps.refresh_token()];
        let end = [("client_id", "web"), ("token", leaves)];
        let change = json!({ "old": PASSWORD, "new": "battery staple" });
        // At once, because each may wait.
        let (added, deleted, new, login, refreshed, ended, changed, purged) = tokio::join!(
            send(add),
            send(server.delete(&path).bearer_auth(&bearer)),
            server.register(&registered, PASSWORD),
            server.log_in(account, PASSWORD, ""),
            server.refresh(&tokens[0], ""),
            send(server.post("/revoke").form(&end)),
            send(server.put("/password").bearer_auth(token).json(&change)),
            send(server.post("/purge").header("x-api-key", key)),
        );
        if happened(&added, 201, is_full) {
            self.notes.insert(text);
        }
        if happened(&deleted, 204, is_full) {
            self.deleted.insert(format!("{account} first"));
        }
        if happened(&new, 201, is_full) {
            self.accounts.push(registered);
        }
        if happened(&login, 200, is_full) {
            self.logins.push((vec![login.refresh_token()], true));
        }
        let is_known = happened(&refreshed, 200, is_full);
        if is_known {
            tokens.push(refreshed.refresh_token());
        }
        self.logins.push((tokens, is_known));

        if happened(&ended, 200, is_full) {
            self.ended.push(leaves.clone());
        }
        let mut passwords = vec!["battery staple"];
        if !happened(&changed, 204, is_full) {
            passwords.push(PASSWORD);
        }
        self.passwords.push((changes.clone(), passwords));
        happened(&purged, 204, is_full);
    }

    /// Checks that a server which knows the database alone has all of it.
    async fn check(&self, server: &Server, database: &Database) {
        let mut opened = database.open().await;
        let notes = sqlx::query_scalar("SELECT text FROM notes").fetch_all(&mut opened).await;
        let notes: BTreeSet<String> = notes.unwrap().into_iter().collect();
        assert!(self.notes.is_subset(&notes), "{:?}", self.notes.difference(&notes));
        let back: Vec<_> = self.deleted.intersection(&notes).collect();
        assert!(back.is_empty(), "deleted notes are back: {back:?}");
        for account in &self.accounts {
            server.log_in(account, PASSWORD, "").await.assert_status(200);
        }
        for (account, passwords) in &self.passwords {
            let mut accepted = Vec::new();
            for password in [PASSWORD, "battery staple"] {
                if server.log_in(account, password, "").await.status == 200 {
                    accepted.push(password);
                }
            }
            assert!(
                accepted.len() == 1 && passwords.contains(&accepted[0]),
                "{account}: {accepted:?}"
            );
        }
        for token in &self.ended {
            server.refresh(token, "").await.assert_error(400, "invalid_grant");
        }
        for (tokens, is_known) in &self.logins {
            let (last, spent) = tokens.split_last().unwrap();
            if *is_known {
                server.refresh(last, "").await.assert_status(200);
            }
            for token in spent {
                server.refresh(token, "").await.assert_error(400, "invalid_grant");
            }
        }
    }
}

/// What one round writes with: an account with two logins and a note, and one whose password
/// changes.
struct Round {
    account: String,
    keeps: Answer,
    leaves: String,
    note: serde_json::Value,
    changes: String,
    token: String,
}

#[tokio::test]
async fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let database = Database::new();
    let mut server = start(&database);
    let key = server.first_secrets().key;
    // Each address may log in some twenty times.
    server.come_from([127, 3, 0, 1]);
    let rounds = Told::prepare(&server).await;
    server.come_from([127, 3, 0, 2]);
    let disk = Disk::new(&database, server);
    let mut told = Told::default();
    let (full, free) = rounds.split_at(2);
    disk.fill();
    told.write(disk.server(), &full[0], true, &key).await;
    disk.end_log(&database).await;
    told.write(disk.server(), &full[1], true, &key).await;
    assert!(told.accounts.len() < 2, "the disk was not full");
    let ready = send(disk.server().get("/readyz")).await;
    ready.assert_status(503);
    send(disk.server().get("/livez")).await.assert_status(200);
    disk.free().await;
    for round in free {
        told.write(disk.server(), round, false, &key).await;
    }
    disk.kill();

    let mut server = Server::restart(&database);
    server.come_from([127, 3, 0, 3]);
    told.check(&server, &database).await;
}
