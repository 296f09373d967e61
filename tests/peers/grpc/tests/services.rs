//! tonic's client asks services whose methods have scopes of their own.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use doorward::head::FromExtensions;
use doorward::routes::May;
use doorward::testing::RefuseUndecided;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, plan};
use doorward_grpc::notes::pb::journal_client::JournalClient;
use doorward_grpc::notes::pb::notes_client::NotesClient;
use doorward_grpc::notes::pb::notes_server::{Notes as _, NotesServer};
use doorward_grpc::notes::{Api, Note, Notebook, Revoked, routes, serve, serve_behind_layers};
use prost::Message as _;
use tokio::time::timeout;
use tokio_stream::StreamExt as _;
use tonic::metadata::MetadataValue;
use tonic::service::Routes;
use tonic::transport::Channel;
use tonic::{Code, Request, Status, Streaming};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::HealthServer;
use tower::ServiceExt as _;

async fn connect(address: SocketAddr) -> Channel {
    let endpoint = Channel::from_shared(format!("http://{address}")).unwrap();
    endpoint.connect().await.unwrap()
}

fn with<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    if !token.is_empty() {
        let line = format!("Bearer {token}").parse().unwrap();
        request.metadata_mut().insert("authorization", line);
    }
    request
}

fn note(text: &str) -> Note {
    Note { text: text.to_owned() }
}

/// Reads a stream until it ends with a status.
async fn end_of(mut stream: Streaming<Note>) -> Status {
    loop {
        match stream.message().await {
            Ok(message) => assert!(message.is_some(), "the stream ends without a status"),
            Err(status) => return status,
        }
    }
}

/// The code of a refusal, its message, and the end of its challenge.
fn assert_refused(status: &Status, code: Code, message: &str, end: &str) {
    assert_eq!((status.code(), status.message()), (code, message));
    let lines = status.metadata().get_all("www-authenticate").iter();
    let lines: Vec<_> = lines.map(|line| line.to_str().unwrap()).collect();
    let [line] = &*lines else { panic!("{lines:?}") };
    assert!(line.starts_with("Bearer realm=\"notes\"") && line.ends_with(end), "{line}");
}

fn assert_missing(status: &Status, scope: &str) {
    let end = format!("scope=\"{scope}\"");
    assert_refused(status, Code::Unauthenticated, "Not authenticated", &end);
}

fn assert_narrow(status: &Status, scope: &str) {
    let end = format!("scope=\"{scope}\"");
    assert_refused(status, Code::PermissionDenied, "Not enough permissions", &end);
}

fn forever() -> impl tokio_stream::Stream<Item = Note> + Send + 'static {
    let ticks = tokio::time::interval(Duration::from_millis(10));
    tokio_stream::wrappers::IntervalStream::new(ticks).map(|_| note("a"))
}

#[tokio::test]
async fn each_method_has_its_scopes() {
    let revoked = Shared::new(Revoked::default());
    let (layered, _) = serve_behind_layers(revoked.clone()).await.unwrap();
    for address in [serve(revoked.clone()).await.unwrap(), layered] {
        let channel = connect(address).await;
        let mut notes = NotesClient::new(channel.clone());
        assert_missing(&notes.get(with("", note("x"))).await.unwrap_err(), "notes:read");
        assert_narrow(&notes.get(with("other", note("x"))).await.unwrap_err(), "notes:read");
        let got = notes.get(with("notes:read", note("x"))).await.unwrap();
        assert_eq!(got.into_inner().text, "x");
        let drafts = notes.get(with("notes:write", note("drafts"))).await.unwrap_err();
        assert_narrow(&drafts, "admin");
        assert!(notes.get(with("admin", note("drafts"))).await.is_ok());

        let narrow = notes.put(with("notes:read", note("x"))).await.unwrap_err();
        assert_narrow(&narrow, "notes:write");
        let put = notes.put(with("notes:write", note("x"))).await.unwrap();
        assert_eq!(put.into_inner().text, "x by notes:write");

        // A stream that is refused does not open, in either direction.
        let narrow = notes.watch(with("other", note("x"))).await.unwrap_err();
        assert_narrow(&narrow, "notes:read");
        let mut journal = JournalClient::new(channel.clone());
        let narrow = journal.collect(with("notes:read", forever())).await.unwrap_err();
        assert_narrow(&narrow, "notes:write");
        let narrow = journal.talk(with("notes:read", forever())).await.unwrap_err();
        assert_narrow(&narrow, "notes:write");

        let few = tokio_stream::iter([note("a"), note("b")]);
        let collected = journal.collect(with("notes:write", few)).await.unwrap();
        assert_eq!(collected.into_inner().text, "ab");
        let few = tokio_stream::iter([note("a"), note("b")]);
        let talk = journal.talk(with("admin", few)).await.unwrap().into_inner();
        let texts: Vec<_> = talk.map(|note| note.unwrap().text).collect().await;
        assert_eq!(texts, ["a to admin", "b to admin"]);

        let mut health = HealthClient::new(channel);
        let asked = HealthCheckRequest { service: String::new() };
        assert!(health.check(asked.clone()).await.is_ok());
        assert!(health.watch(asked).await.is_ok());
    }
}

#[tokio::test]
async fn a_repeated_line_is_refused() {
    let channel = connect(serve(Shared::new(Revoked::default())).await.unwrap()).await;
    let mut request = with("notes:read", note("x"));
    let second = MetadataValue::from_static("Bearer admin");
    request.metadata_mut().append("authorization", second);
    let refused = NotesClient::new(channel).get(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);
}

/// Each stream ends with the refusal, soon after the token is revoked.
#[tokio::test]
async fn streams_in_both_directions_end_with_their_token() {
    let revoked = Shared::new(Revoked::default());
    let channel = connect(serve(revoked.clone()).await.unwrap()).await;
    let revoke = |token: &str| revoked.0.lock().unwrap().insert(token.to_owned());
    let limit = Duration::from_secs(5);

    let mut notes = NotesClient::new(channel.clone());
    let mut watched = notes.watch(with("notes:read", note("x"))).await.unwrap().into_inner();
    for _ in 0..5 {
        assert_eq!(watched.message().await.unwrap().unwrap().text, "x");
    }
    let mut journal = JournalClient::new(channel);
    let mut talk = journal.talk(with("notes:write", forever())).await.unwrap().into_inner();
    assert_eq!(talk.message().await.unwrap().unwrap().text, "a to notes:write");
    let mut collecting = journal.clone();
    let collected =
        tokio::spawn(async move { collecting.collect(with("notes:write", forever())).await });

    revoke("notes:read");
    let ended = timeout(limit, end_of(watched)).await.unwrap();
    assert_refused(
        &ended,
        Code::Unauthenticated,
        "Could not validate credentials",
        "scope=\"notes:read\"",
    );
    // The other streams have another token.
    assert!(talk.message().await.unwrap().is_some());
    assert!(!collected.is_finished());

    revoke("notes:write");
    let ended = timeout(limit, end_of(talk)).await.unwrap();
    assert_refused(
        &ended,
        Code::Unauthenticated,
        "Could not validate credentials",
        "scope=\"notes:write\"",
    );
    let collected = timeout(limit, collected).await.unwrap().unwrap().unwrap_err();
    assert_refused(
        &collected,
        Code::Unauthenticated,
        "Could not validate credentials",
        "scope=\"notes:write\"",
    );
}

/// What the service shares is in the extensions, and without it nobody is let in.
#[tokio::test]
async fn without_a_shared_value_the_status_is_internal() {
    let refused = Notebook.get(with("notes:read", note("x"))).await.unwrap_err();
    assert_eq!(refused.code(), Code::Internal);
    let mut request = with("notes:read", note("x"));
    request.extensions_mut().insert(Shared::new(Revoked::default()));
    assert!(Notebook.get(request).await.is_ok());
}

/// A method says what it requires, and also that it is public.
#[tokio::test]
async fn each_method_of_a_block_is_decided() {
    let health = HealthServer::new(Notebook);
    let routes = Routes::new(health).add_service(NotesServer::new(Notebook));
    let app = routes.into_axum_router().layer(RefuseUndecided::new());
    for path in ["/grpc.health.v1.Health/Check", "/notes.v1.Notes/Get"] {
        let request = http::Request::post(path).header("content-type", "application/grpc");
        let request = request.body(Body::from(vec![0; 5])).unwrap();
        let answer = app.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
    }
}

#[test]
fn a_head_shows_no_secret() {
    let head = doorward::tonic014::Head::of(&with("hunter2", ()));
    assert_eq!(format!("{head:?}"), "Head(<redacted>)");
}

#[dependency]
fn tenant(FromExtensions(tenant): FromExtensions<&'static str>) -> Result<String, Rejection> {
    Ok(tenant.to_owned())
}

/// What an interceptor or a layer has found.
#[tokio::test]
async fn a_dependency_takes_what_is_in_the_extensions() {
    let mut call = with("", ());
    assert!(plan!(tenant).resolve_call(&call).await.is_err());
    call.extensions_mut().insert("north");
    assert_eq!(plan!(tenant).resolve_call(&call).await.unwrap(), "north");
}

#[test]
fn the_table_has_a_line_for_each_method() {
    assert_eq!(
        routes().to_string(),
        "\
RPC  /grpc.health.v1.Health/Check  public: load balancers ask it
RPC  /grpc.health.v1.Health/Watch  public: load balancers ask it
RPC  /notes.v1.Journal/Collect     Api(notes:write)
RPC  /notes.v1.Journal/Talk        Api(notes:write)
RPC  /notes.v1.Notes/Get           Api(notes:read)
RPC  /notes.v1.Notes/Put           Api(notes:write)
RPC  /notes.v1.Notes/Watch         Api(notes:read)
"
    );
    let routes = routes();
    let reader = Verified::new((), ["notes:read".to_owned()]);
    let may = routes.may::<Api>(&reader).map(|(route, may)| (route.path(), may));
    let expected = [
        "/grpc.health.v1.Health/Check",
        "/grpc.health.v1.Health/Watch",
        "/notes.v1.Notes/Get",
        "/notes.v1.Notes/Watch",
    ];
    assert_eq!(Vec::from_iter(may), expected.map(|path| (path, May::Yes)));
    let handler = routes.iter().last().unwrap().handler();
    assert_eq!(handler, "doorward_grpc::notes::Notebook::watch");
}

#[tokio::test]
async fn a_service_behind_a_layer_has_one_line() {
    let (_, routes) = serve_behind_layers(Shared::new(Revoked::default())).await.unwrap();
    assert_eq!(
        routes.to_string(),
        "\
RPC  /grpc.health.v1.Health/*                public: load balancers ask it
RPC  /grpc.reflection.v1.ServerReflection/*  public: the API is no secret
RPC  /notes.v1.Journal/*                     Api(notes:write)
RPC  /notes.v1.Notes/*                       Api(notes:read)
"
    );
}

/// Finds a method that no block has decided about, from the descriptors that are compiled from the
/// `.proto` files.
#[test]
fn the_table_has_each_method_of_the_descriptors() {
    let descriptors = tonic_health::pb::FILE_DESCRIPTOR_SET;
    let descriptors = prost_types::FileDescriptorSet::decode(descriptors).unwrap();
    let routes = routes();
    for file in &descriptors.file {
        for service in &file.service {
            for method in &service.method {
                let path = format!("/{}.{}/{}", file.package(), service.name(), method.name());
                // A name such as `GetURL` is `GetUrl` in the table.
                let is_path = |known: &str| known.eq_ignore_ascii_case(&path);
                assert!(routes.iter().any(|route| is_path(route.path())), "{path}");
            }
        }
    }
}
