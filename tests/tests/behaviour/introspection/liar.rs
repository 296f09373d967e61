//! An issuer that lies, over sockets, and the client that the verifier makes itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use doorward::scheme::RejectionReason;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{AUDIENCE, Tokens, answer, found, login, verify};

/// A server whose answer depends on the token.
struct Liar {
    url: String,
    /// How many connections another server got, to which this one redirects.
    elsewhere: Arc<AtomicUsize>,
}

/// Reads the head and the form of a request.
async fn read(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    loop {
        let mut chunk = [0; 4096];
        let length = stream.read(&mut chunk).await.ok().filter(|length| *length > 0)?;
        request.extend_from_slice(&chunk[..length]);
        let text = String::from_utf8_lossy(&request);
        let length = text.to_ascii_lowercase();
        let length = length.split_once("content-length: ").map(|(_, rest)| rest.to_owned());
        let length = length.map_or(0, |rest| rest.lines().next().unwrap().parse().unwrap());
        if text.split_once("\r\n\r\n").is_some_and(|(_, body)| body.len() >= length) {
            return Some(text.into_owned());
        }
    }
}

impl Liar {
    async fn start() -> Self {
        let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let other_url = format!("http://{}", other.local_addr().unwrap());
        let elsewhere = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&elsewhere);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = other.accept().await {
                count.fetch_add(1, Ordering::Relaxed);
                read(&mut stream).await;
                let good = format!(r#"{{"active":true,"aud":"{AUDIENCE}","sub":"a"}}"#);
                let _ = respond(&mut stream, "200 OK", "", &good).await;
            }
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let own = url.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, own.clone(), other_url.clone()));
            }
        });
        Self { url, elsewhere }
    }

    fn tokens(&self) -> Tokens {
        let url = format!("{}/introspect", self.url);
        Tokens::at(url, login()).audience(AUDIENCE).build().unwrap()
    }
}

async fn respond(
    stream: &mut TcpStream,
    status: &str,
    headers: &str,
    body: &str,
) -> std::io::Result<()> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await
}

async fn serve(mut stream: TcpStream, own: String, other: String) -> Option<()> {
    let request = read(&mut stream).await?;
    if request.starts_with("GET /.well-known/openid-configuration ") {
        let metadata =
            json!({ "issuer": own, "introspection_endpoint": format!("{own}/introspect") });
        return respond(&mut stream, "200 OK", "", &metadata.to_string()).await.ok();
    }
    assert!(request.starts_with("POST /introspect HTTP/1.1\r\n"), "{request}");
    let (head, form) = request.split_once("\r\n\r\n")?;
    let head = head.to_ascii_lowercase();
    assert!(head.contains("\r\naccept: application/json\r\n"), "{head}");
    assert!(head.contains("\r\nauthorization: basic axrlbxmtyxbponmzy3jlda==\r\n"), "{head}");
    assert!(head.contains("\r\ncontent-type: application/x-www-form-urlencoded"), "{head}");
    let token = form.strip_prefix("token=")?.strip_suffix("&token_type_hint=access_token")?;
    let good = format!(r#"{{"active":true,"aud":"{AUDIENCE}","sub":"johndoe","iss":"{own}"}}"#);
    let to = |status, url: String| (status, format!("location: {url}\r\n"), String::new());
    let (status, headers, body) = match token {
        "good" => ("200 OK", String::new(), good),
        "other-issuer" => ("200 OK", String::new(), good.replace(&own, "https://a.example")),
        "html" => ("200 OK", String::new(), "<html>".to_owned()),
        "text" => ("200 OK", String::new(), good.replace("true", "\"true\"")),
        "array" => ("200 OK", String::new(), format!("[{good}]")),
        "jwt" => ("200 OK", String::new(), "eyJhbGciOiJub25lIn0.e30.".to_owned()),
        "latin" => ("200 OK", String::new(), String::new()),
        "large" => ("200 OK", String::new(), format!("{good}{}", " ".repeat(10 << 20))),
        "created" => ("201 Created", String::new(), good),
        "401" => ("401 Unauthorized", String::new(), good),
        "403" => ("403 Forbidden", String::new(), good),
        "404" => ("404 Not Found", String::new(), good),
        "429" => ("429 Too Many Requests", "retry-after: 17\r\n".to_owned(), String::new()),
        "503" => ("503 Service Unavailable", "Retry-After: 3\r\n".to_owned(), String::new()),
        "date" => {
            let date = "Retry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\n".to_owned();
            ("503 Service Unavailable", date, String::new())
        }
        "redirect-307" => to("307 Temporary Redirect", format!("{other}/introspect")),
        "redirect-308" => to("308 Permanent Redirect", format!("{other}/introspect")),
        "redirect-303" => to("303 See Other", format!("{own}/introspect?good")),
        "closed" => return None,
        "slow" => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n").await.ok()?;
            for byte in good.bytes() {
                stream.write_all(&[byte]).await.ok()?;
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            return Some(());
        }
        "silent" => {
            tokio::time::sleep(Duration::from_secs(10)).await;
            ("200 OK", String::new(), good)
        }
        _ => ("200 OK", String::new(), r#"{"active":false}"#.to_owned()),
    };
    respond(&mut stream, status, &headers, &body).await.ok()
}

#[tokio::test]
async fn a_lie_is_refused_and_silence_is_a_503() {
    let liar = Liar::start().await;
    let tokens = liar.tokens();
    assert_eq!(verify(&tokens, "good").await.as_deref(), Ok("johndoe"));
    for token in ["text", "array", "unknown"] {
        assert_eq!(answer(found(&tokens, token).await.unwrap_err()), (401, None), "{token}");
    }
    for token in [
        "html",
        "jwt",
        "latin",
        "large",
        "created",
        "401",
        "403",
        "404",
        "date",
        "closed",
        "redirect-307",
        "redirect-308",
        "redirect-303",
    ] {
        assert_eq!(answer(found(&tokens, token).await.unwrap_err()), (503, Some(5)), "{token}");
    }
    assert_eq!(answer(found(&tokens, "429").await.unwrap_err()), (503, Some(17)));
    assert_eq!(answer(found(&tokens, "503").await.unwrap_err()), (503, Some(3)));
    assert_eq!(liar.elsewhere.load(Ordering::Relaxed), 0);
    let begun = Instant::now();
    let (slow, silent) = tokio::join!(found(&tokens, "slow"), found(&tokens, "silent"));
    for error in [slow, silent] {
        assert_eq!(answer(error.unwrap_err()), (503, Some(5)));
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(verify(&tokens, "good").await.as_deref(), Ok("johndoe"));
}

/// The form was sent to the other server already, but its answer lets nobody in.
#[tokio::test]
async fn an_answer_from_elsewhere_is_a_503() {
    let liar = Liar::start().await;
    let url = format!("{}/introspect", liar.url);
    let tokens = Tokens::at(url, login()).audience(AUDIENCE).fetch(reqwest::Client::new());
    let tokens = tokens.build().unwrap();
    assert_eq!(verify(&tokens, "good").await.as_deref(), Ok("johndoe"));
    let error = found(&tokens, "redirect-307").await.unwrap_err();
    assert_eq!((answer(error), liar.elsewhere.load(Ordering::Relaxed)), ((503, Some(5)), 1));
}

/// URLs are compared as they are read, and not as text.
#[tokio::test]
async fn another_spelling_of_the_url_is_the_same_url() {
    let liar = Liar::start().await;
    let url = liar.url.replace("http", "HTTP").replace("HTTP", "http");
    let url = url.replace("127.0.0.1", "LocalHost") + "/introspect";
    let tokens = Tokens::at(url, login()).audience(AUDIENCE).build().unwrap();
    assert_eq!(verify(&tokens, "good").await.as_deref(), Ok("johndoe"));
}

#[tokio::test]
async fn the_metadata_of_an_issuer_say_where_it_is_asked() {
    let liar = Liar::start().await;
    let tokens = Tokens::discover(&*liar.url, login()).audience(AUDIENCE).build().unwrap();
    let all = (0..10).map(|_| verify(&tokens, "good"));
    for verified in futures_util::future::join_all(all).await {
        assert_eq!(verified.as_deref(), Ok("johndoe"));
    }
    assert_eq!(verify(&tokens, "other-issuer").await, Err(RejectionReason::Invalid));
    // The endpoint alone says nothing about who the issuer is.
    assert_eq!(verify(&liar.tokens(), "other-issuer").await.as_deref(), Ok("johndoe"));
    let elsewhere = Tokens::discover(format!("{}/realm", liar.url), login());
    let elsewhere = elsewhere.audience(AUDIENCE).build().unwrap();
    assert_eq!(verify(&elsewhere, "good").await, Err(RejectionReason::Unavailable));
}
