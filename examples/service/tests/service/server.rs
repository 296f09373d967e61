//! The program, its database, and what a client does with it.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio, id};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{JoinHandle, spawn};

use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::header::HeaderMap;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use sqlx::any::{Any, AnyRow, install_default_drivers};
use sqlx::{AnyConnection, Connection, Decode, FromRow, Type};

/// A database: SQLite in a folder, which is deleted with this value, or one on the server at
/// `DOORWARD_POSTGRES`, the URL of PostgreSQL with a `/` at its end.
pub(crate) struct Database {
    folder: PathBuf,
    postgres: Option<String>,
}

impl Database {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("service-{}-{}", id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
        std::fs::create_dir_all(&folder).unwrap();
        let server = std::env::var("DOORWARD_POSTGRES").ok();
        let postgres = server.map(|server| {
            let sql = format!("CREATE DATABASE \"{name}\"");
            let psql =
                Command::new("psql").args([&format!("{server}postgres"), "-qc", &sql]).status();
            assert!(psql.unwrap().success());
            server + &name
        });
        Self { folder, postgres }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) const fn is_postgres(&self) -> bool {
        self.postgres.is_some()
    }

    /// Returns what the program takes.
    pub(crate) fn place(&self) -> String {
        let file = || self.folder.join("notes.db").display().to_string();
        self.postgres.clone().unwrap_or_else(file)
    }

    /// Returns the program with this database, and no other argument.
    pub(crate) fn command(&self) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_doorward-example-service"));
        program.arg("--database").arg(self.place());
        program
    }

    /// Opens the database beside the server.
    pub(crate) async fn open(&self) -> AnyConnection {
        install_default_drivers();
        let file = || format!("sqlite://{}?mode=rwc", self.place());
        let url = self.postgres.clone().unwrap_or_else(file);
        AnyConnection::connect(&url).await.unwrap()
    }

    /// Writes beside the server, when it does not.
    pub(crate) async fn execute(&self, sql: &str) {
        let mut opened = self.open().await;
        sqlx::query(sql).execute(&mut opened).await.unwrap();
    }

    /// Returns the only value that a query finds.
    pub(crate) async fn value<T>(&self, sql: &str) -> T
    where
        T: for<'r> Decode<'r, Any> + Type<Any> + Send + Unpin,
        (T,): for<'r> FromRow<'r, AnyRow>,
    {
        let query = sqlx::query_scalar(sql);
        query.fetch_one(&mut self.open().await).await.unwrap()
    }

    /// Returns the key that signs, as PKCS #8 in DER.
    pub(crate) async fn signing_key(&self) -> Vec<u8> {
        let pkcs8: String = self.value("SELECT pkcs8 FROM signing_keys").await;
        STANDARD.decode(pkcs8).unwrap()
    }

    /// Returns the subject of the tokens of an account.
    pub(crate) async fn id_of(&self, username: &str) -> String {
        let sql = format!("SELECT id FROM accounts WHERE name = '{username}'");
        self.value(&sql).await
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The secrets that the first start has printed.
#[derive(Clone)]
pub(crate) struct FirstSecrets {
    pub(crate) admin: String,
    pub(crate) reporter: String,
    pub(crate) key: String,
}

/// The running program, which is killed with this value.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
    /// The lines that were read to start it.
    printed: String,
    rest: Vec<JoinHandle<String>>,
    client: Client,
}

/// An answer with all of its body.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

/// The URL by which others reach the service.
pub(crate) const PUBLIC: &str = "https://notes.example.com";

/// The password of `johndoe`.
pub(crate) const PASSWORD: &str = "correct horse";

/// Starts a server with a new database, where `johndoe` has an account.
pub(crate) async fn with_john() -> (Database, Server) {
    let database = Database::new();
    let server = Server::start(&database);
    let registered = server.register("johndoe", PASSWORD).await;
    registered.assert_status(201);
    (database, server)
}

impl Server {
    /// Starts the program for the first time.
    pub(crate) fn start(database: &Database) -> Self {
        Self::start_and_read(program(database), 7)
    }

    /// Starts the program on a database that has been filled.
    pub(crate) fn restart(database: &Database) -> Self {
        Self::start_and_read(program(database), 3)
    }

    /// Starts the program, and reads some of the lines that it prints.
    pub(crate) fn start_and_read(mut program: Command, lines: usize) -> Self {
        Self::start_as(program.env("RUST_LOG", "trace"), lines)
    }

    pub(crate) fn start_as(program: &mut Command, lines: usize) -> Self {
        let mut process = program.spawn().unwrap();
        let mut log = process.stderr.take().unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut printed = String::new();
        for _ in 0..lines {
            output.read_line(&mut printed).unwrap();
        }
        let first = printed.lines().next().unwrap_or_default();
        let address = first.strip_prefix("Listening on http://");
        let address = address.unwrap_or_else(|| panic!("{printed}")).parse().unwrap();
        // A pipe that nobody reads would stop the server when it is full.
        let rest = vec![spawn(move || text_of(&mut output)), spawn(move || text_of(&mut log))];
        // A connection that was kept open may have been closed by the server.
        let client = Client::builder().pool_max_idle_per_host(0).build().unwrap();
        Self { process, address, printed, rest, client }
    }

    /// Returns what the first start has printed.
    pub(crate) fn first_secrets(&self) -> FirstSecrets {
        let between = |before: &str, after: &str| {
            let (_, rest) = self.printed.split_once(before).unwrap();
            rest.split(after).next().unwrap().to_owned()
        };
        FirstSecrets {
            admin: between("the password of `admin`: ", "\n"),
            reporter: between("-u 'reporter:", "'"),
            key: between("'x-api-key: ", "'"),
        }
    }

    /// Returns what Prometheus would read.
    pub(crate) async fn metrics(&self) -> Answer {
        let url = self.printed.lines().find_map(|line| line.strip_prefix("Metrics: ")).unwrap();
        send(self.client.get(url)).await
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    pub(crate) fn terminate(&self) {
        self.signal("-TERM");
    }

    /// Sends a signal to the program, as an operator does.
    pub(crate) fn signal(&self, name: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Kills the program, and returns what it has printed and what it has logged.
    pub(crate) fn kill(mut self) -> (String, String) {
        self.process.kill().unwrap();
        self.wait().1
    }

    /// Waits for the end of the program.
    pub(crate) fn wait(&mut self) -> (bool, (String, String)) {
        let is_success = self.process.wait().unwrap().success();
        let mut rest = self.rest.drain(..).map(|thread| thread.join().unwrap());
        let printed = self.printed.clone() + &rest.next().unwrap();
        (is_success, (printed, rest.next().unwrap()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The program may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the program, with pipes for what it prints and what it logs.
pub(crate) fn program(database: &Database) -> Command {
    let mut program = local_program(database);
    program.args(["--public-url", PUBLIC]);
    program
}

/// Returns the program without a public URL.
pub(crate) fn local_program(database: &Database) -> Command {
    let mut program = database.command();
    program.args(["--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

fn text_of(output: &mut impl Read) -> String {
    let mut text = String::new();
    output.read_to_string(&mut text).unwrap();
    text
}

/// Requests.
impl Server {
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(self.url(path))
    }

    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        self.client.post(self.url(path))
    }

    pub(crate) fn put(&self, path: &str) -> RequestBuilder {
        self.client.put(self.url(path))
    }

    pub(crate) fn delete(&self, path: &str) -> RequestBuilder {
        self.client.delete(self.url(path))
    }

    pub(crate) fn options(&self, path: &str) -> RequestBuilder {
        self.client.request(reqwest::Method::OPTIONS, self.url(path))
    }

    pub(crate) async fn register(&self, username: &str, password: &str) -> Answer {
        let account = json!({ "username": username, "password": password });
        send(self.post("/accounts").json(&account)).await
    }

    /// Lets the requests come from another address of this machine, which is Linux.
    pub(crate) fn come_from(&mut self, address: [u8; 4]) {
        let client = Client::builder().local_address(std::net::IpAddr::from(address));
        self.client = client.pool_max_idle_per_host(0).build().unwrap();
    }

    /// Sends a form to the token endpoint.
    pub(crate) async fn token(&self, form: &[(&str, &str)]) -> Answer {
        send(self.post("/token").form(form)).await
    }

    pub(crate) async fn log_in(&self, username: &str, password: &str, scope: &str) -> Answer {
        let form = [
            ("grant_type", "password"),
            ("client_id", "web"),
            ("username", username),
            ("password", password),
            ("scope", scope),
        ];
        self.token(&form).await
    }

    pub(crate) async fn refresh(&self, token: &str, scope: &str) -> Answer {
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", "web"),
            ("refresh_token", token),
            ("scope", scope),
        ];
        self.token(&form).await
    }
}

/// Sends a request that is answered.
pub(crate) async fn send(request: RequestBuilder) -> Answer {
    try_send(request).await.unwrap()
}

pub(crate) async fn try_send(request: RequestBuilder) -> reqwest::Result<Answer> {
    let response = request.send().await?;
    Ok(Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await?,
    })
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns a member that is text.
    pub(crate) fn text_of(&self, name: &str) -> String {
        let value = self.json()[name].as_str().map(str::to_owned);
        value.unwrap_or_else(|| panic!("no `{name}`: {self:?}"))
    }

    pub(crate) fn access_token(&self) -> String {
        self.text_of("access_token")
    }

    pub(crate) fn refresh_token(&self) -> String {
        self.text_of("refresh_token")
    }

    /// Returns the values of a header, which may be sent more than once.
    pub(crate) fn header(&self, name: &str) -> Vec<&str> {
        let values = self.headers.get_all(name).into_iter();
        values.map(|value| value.to_str().unwrap()).collect()
    }

    #[track_caller]
    pub(crate) fn assert_status(&self, status: u16) {
        assert_eq!(self.status, status, "{self:?}");
    }

    /// Checks the answer of an endpoint for clients that refuses.
    #[track_caller]
    pub(crate) fn assert_error(&self, status: u16, code: &str) {
        self.assert_status(status);
        assert_eq!(self.text_of("error"), code, "{self:?}");
        assert_eq!(self.header("cache-control"), ["no-store"], "{self:?}");
    }

    /// Checks the answer of a route that refuses.
    #[track_caller]
    pub(crate) fn assert_refused(&self, status: u16, challenges: &[&str]) {
        self.assert_status(status);
        assert_eq!(self.header("www-authenticate"), challenges, "{self:?}");
    }
}
