//! poem 3.

use core::pin::pin;
use std::io;

use doorward::live::Live;
use doorward::websocket::protocol;
use doorward::{declared, secured};
use futures_util::{SinkExt, StreamExt};
use poem::http::HeaderMap;
use poem::listener::TcpAcceptor;
use poem::web::websocket::{Message, WebSocket};
use poem::{Body, EndpointExt, IntoResponse, Response, Route, Server, get, handler};

use super::{Api, EVERY, TcpListener, Tokens, news};

#[secured(Api)]
#[handler]
async fn events(live: Live) -> Response {
    let events = news().map(|news| Ok::<_, io::Error>(format!("data: {news}\n\n")));
    let events = Body::from_bytes_stream(live.every(EVERY).around(events));
    Response::builder().content_type("text/event-stream").body(events)
}

#[secured(Api)]
#[handler]
async fn socket(live: Live, headers: &HeaderMap, upgrade: WebSocket) -> impl IntoResponse {
    let upgrade = upgrade.protocols(protocol(headers).map(str::to_owned));
    upgrade.on_upgrade(async move |mut socket| {
        let mut refused = pin!(live.every(EVERY).refused());
        loop {
            let answer = tokio::select! {
                Some(Ok(message)) = socket.next() => message,
                refusal = &mut refused => {
                    Message::close_with(refusal.close_code(), refusal.reason().as_str())
                }
                else => return,
            };
            let is_last = answer.is_close();
            if socket.send(answer).await.is_err() || is_last {
                return;
            }
        }
    })
}

pub(super) fn serve(listener: TcpListener, tokens: Tokens) {
    let app =
        Route::new().at("/events", get(declared(events))).at("/socket", get(declared(socket)));
    let app = app.data(tokens);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let acceptor = TcpAcceptor::from_std(listener)?;
            Server::new_with_acceptor(acceptor).run(app).await
        })
    });
}
