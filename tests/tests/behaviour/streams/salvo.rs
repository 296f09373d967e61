//! salvo 1.

use core::convert::Infallible;
use core::pin::pin;

use doorward::live::Live;
use doorward::secured;
use doorward::websocket::protocol;
use futures_util::StreamExt;
use salvo::conn::tcp::TcpAcceptor;
use salvo::http::StatusError;
use salvo::sse::{self, SseEvent};
use salvo::websocket::{Message, WebSocket, WebSocketUpgrade};
use salvo::{Request, Response, Router, Server, Writer as _, affix_state, handler};

use super::{Api, EVERY, TcpListener, Tokens, news};

#[secured(Api)]
#[handler]
async fn events(live: Live, response: &mut Response) {
    let news = news().map(|news| Ok::<_, Infallible>(SseEvent::default().text(news)));
    sse::stream(response, live.every(EVERY).around(news));
}

#[secured(Api)]
#[handler]
async fn socket(
    live: Live,
    request: &mut Request,
    response: &mut Response,
) -> Result<(), StatusError> {
    let offered = Vec::from_iter(protocol(&*request));
    let upgrade = WebSocketUpgrade::new().protocols(&offered);
    let talk = async move |mut peer: WebSocket| {
        let mut refused = pin!(live.every(EVERY).refused());
        loop {
            let answer = tokio::select! {
                Some(Ok(message)) = peer.recv() => message,
                refusal = &mut refused => {
                    Message::close_with(refusal.close_code(), refusal.reason().as_str())
                }
                else => return,
            };
            let is_last = answer.is_close();
            if peer.send(answer).await.is_err() || is_last {
                return;
            }
        }
    };
    upgrade.upgrade(request, response, talk).await
}

pub(super) fn serve(listener: TcpListener, tokens: Tokens) {
    let app = Router::with_hoop(affix_state::inject(tokens))
        .push(Router::with_path("events").get(events))
        .push(Router::with_path("socket").get(socket));
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            Server::new(TcpAcceptor::try_from(listener)?).serve(app).await;
            std::io::Result::Ok(())
        })
    });
}
