//! axum 0.8.

use core::convert::Infallible;
use core::pin::pin;

use axum::extract::ws::{CloseFrame, Message, WebSocketUpgrade};
use axum::response::Response;
use axum::response::sse::{Event, Sse};
use doorward::axum08::{Router, routing::get};
use doorward::live::Live;
use doorward::secured;
use doorward::websocket::protocol;
use futures_util::{Stream, StreamExt};
use http::HeaderMap;

use super::{Api, EVERY, TcpListener, Tokens, news};

#[secured(Api)]
async fn events(live: Live) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = news().map(|news| Ok(Event::default().data(news)));
    Sse::new(live.every(EVERY).around(events))
}

#[secured(Api)]
async fn socket(live: Live, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    let upgrade = upgrade.protocols(protocol(&headers).map(str::to_owned));
    upgrade.on_upgrade(async move |mut socket| {
        let mut refused = pin!(live.every(EVERY).refused());
        loop {
            let answer = tokio::select! {
                Some(Ok(message)) = socket.recv() => message,
                refusal = &mut refused => Message::Close(Some(CloseFrame {
                    code: refusal.close_code(),
                    reason: refusal.reason().as_str().into(),
                })),
                else => return,
            };
            let is_last = matches!(answer, Message::Close(_));
            if socket.send(answer).await.is_err() || is_last {
                return;
            }
        }
    })
}

pub(super) fn serve(listener: TcpListener, tokens: Tokens) {
    let app = Router::new().route("/events", get(events)).route("/socket", get(socket));
    let app = app.extension(tokens).into_inner();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            axum::serve(listener, app).await
        })
    });
}
