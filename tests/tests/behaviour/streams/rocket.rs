//! rocket 0.5.

use core::convert::Infallible;
use core::pin::pin;
use std::sync::mpsc::channel;

use doorward::live::Live;
use doorward::rocket05::{Doorward, routes};
use doorward::secured;
use doorward::websocket::protocol;
use futures_util::{SinkExt, Stream, StreamExt};
use rocket::fairing::AdHoc;
use rocket::http::Header;
use rocket::request::{FromRequest, Outcome, Request};
use rocket::response::stream::{Event, EventStream};
use rocket::{Responder, async_trait, get};
use rocket_ws::frame::CloseFrame;
use rocket_ws::{Channel, Message, WebSocket};

use super::{Api, EVERY, TcpListener, Tokens, news};

#[secured(Api)]
#[get("/events")]
async fn events(live: Live) -> EventStream<impl Stream<Item = Event>> {
    EventStream::from(live.every(EVERY).around(news().map(Event::data)))
}

/// The subprotocol that the answer selects.
struct Selected(Header<'static>);

#[async_trait]
impl<'r> FromRequest<'r> for Selected {
    type Error = Infallible;

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, Infallible> {
        let name = protocol(request).unwrap_or_default().to_owned();
        Outcome::Success(Self(Header::new("sec-websocket-protocol", name)))
    }
}

#[derive(Responder)]
struct Opened(Channel<'static>, Header<'static>);

#[secured(Api)]
#[get("/socket")]
fn socket(live: Live, selected: Selected, upgrade: WebSocket) -> Opened {
    let talk = upgrade.channel(|mut socket| {
        Box::pin(async move {
            let mut refused = pin!(live.every(EVERY).refused());
            loop {
                let answer = tokio::select! {
                    Some(message) = socket.next() => message?,
                    refusal = &mut refused => Message::Close(Some(CloseFrame {
                        code: refusal.close_code().into(),
                        reason: refusal.reason().as_str().into(),
                    })),
                    else => return Ok(()),
                };
                let is_last = answer.is_close();
                socket.send(answer).await?;
                if is_last {
                    return Ok(());
                }
            }
        })
    });
    Opened(talk, selected.0)
}

/// Rocket binds the address itself.
pub(super) fn serve(listener: TcpListener, tokens: Tokens) {
    let address = listener.local_addr().unwrap();
    drop(listener);
    let config = rocket::Config {
        address: address.ip(),
        port: address.port(),
        log_level: rocket::config::LogLevel::Off,
        ..rocket::Config::debug_default()
    };
    let (listens, waits) = channel();
    let app = rocket::custom(config)
        .attach(Doorward)
        .attach(AdHoc::on_liftoff("listens", |_| {
            Box::pin(async move { listens.send(()).unwrap() })
        }))
        .manage(tokens)
        .mount("/", routes![events, socket]);
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(app.launch()).map(drop).unwrap();
    });
    waits.recv().unwrap();
}
