//! The server with the client of rmcp, over sockets.

mod client;
mod hostile;
mod issuer;

use std::io::{self, BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use axum::http::header::LOCATION;
use doorward::testing::TestAuthority;
use reqwest::redirect::Policy;

/// The program, which ends with the test.
struct Server {
    program: Child,
    /// The URL of its MCP endpoint.
    url: String,
    /// The issuer that it trusts.
    authority: TestAuthority,
}

impl Server {
    /// Starts the program at a free port.
    async fn start() -> Self {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
        let address = free.unwrap().to_string();
        let url = format!("http://{address}/mcp");
        let authority = issuer::start(&url).await;
        let mut program = Command::new(env!("CARGO_BIN_EXE_doorward-example-mcp"));
        let program = program.args(["--listen", &address, "--issuer", authority.issuer()]);
        let mut program = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = program.stdout.take().unwrap();
        let server = Self { program, url, authority };
        // It asks the issuer of this thread for its metadata before it listens.
        let line = tokio::task::spawn_blocking(|| BufReader::new(output).lines().next());
        let line = line.await.unwrap().unwrap().unwrap();
        assert_eq!(line, format!("Listening on http://{address}"));
        server
    }
}

impl Server {
    /// Stops the program and returns its log.
    fn log(mut self) -> String {
        self.program.kill().unwrap();
        let log = self.program.stderr.take().unwrap();
        io::read_to_string(log).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.program.kill().unwrap();
        self.program.wait().unwrap();
    }
}

#[tokio::test]
async fn a_client_logs_in_and_steps_up() {
    let server = Server::start().await;
    let browser = reqwest::Client::builder().redirect(Policy::none());
    let browser = browser.build().unwrap();
    client::walk(&server.url, async |url| {
        let response = browser.get(url).send().await.unwrap();
        response.headers()[LOCATION].to_str().unwrap().to_owned()
    })
    .await;
    // To step up is usual, and nothing to be warned of.
    assert_eq!(server.log(), "");
}

#[test]
fn the_table_of_routes() {
    let program = Command::new(env!("CARGO_BIN_EXE_doorward-example-mcp"))
        .args(["--issuer", "https://id.example.com", "--routes"])
        .output();
    assert_eq!(
        String::from_utf8(program.unwrap().stdout).unwrap(),
        "\
ANY       /.well-known/oauth-protected-resource/mcp  public: clients find the login with it
ANY       /mcp                                       Notebook(notes:read)
TOOL      add_note                                   Notebook(notes:read, notes:write)
TOOL      clear_notes                                Notebook(notes:read, notes:write) via role(Editor)
TOOL      list_notes                                 Notebook(notes:read)
RESOURCE  read_resource                              Notebook(notes:read, notes:write)
PROMPT    sum_up                                     Notebook(notes:read, notes:write)
"
    );
}
