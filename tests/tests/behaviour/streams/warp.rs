//! warp 0.4.

use core::convert::Infallible;
use core::pin::pin;

use doorward::live::Live;
use doorward::verify::Verified;
use doorward::warp04::{recover, security_live};
use doorward::websocket::protocol;
use doorward::{Plan, plan};
use futures_util::{SinkExt, StreamExt};
use warp::filters::BoxedFilter;
use warp::http::header::SEC_WEBSOCKET_PROTOCOL;
use warp::http::{HeaderMap, HeaderValue};
use warp::reply::{Reply, Response};
use warp::sse;
use warp::ws::{Message, Ws, ws};
use warp::{Filter, header};

use super::{Api, Claims, EVERY, TcpListener, Tokens, news};

const PLAN: Plan<Api> = plan!(Api);

fn events(tokens: Tokens) -> BoxedFilter<(Response,)> {
    warp::path!("events")
        .and(security_live(PLAN, tokens))
        .map(|_token: Verified<Claims>, live: Live| {
            let events = news().map(|news| Ok::<_, Infallible>(sse::Event::default().data(news)));
            sse::reply(live.every(EVERY).around(events)).into_response()
        })
        .boxed()
}

fn socket(tokens: Tokens) -> BoxedFilter<(Response,)> {
    warp::path!("socket")
        .and(security_live(PLAN, tokens))
        .and(header::headers_cloned())
        .and(ws())
        .map(|_token: Verified<Claims>, live: Live, headers: HeaderMap, upgrade: Ws| {
            let upgrade = upgrade.on_upgrade(async move |mut socket| {
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
            });
            let mut response = upgrade.into_response();
            let selected = protocol(&headers).and_then(|name| HeaderValue::from_str(name).ok());
            response.headers_mut().extend(selected.map(|name| (SEC_WEBSOCKET_PROTOCOL, name)));
            response
        })
        .boxed()
}

pub(super) fn serve(listener: TcpListener, tokens: Tokens) {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let app = events(tokens.clone()).or(socket(tokens)).recover(recover);
            warp::serve(app).incoming(listener).run().await;
            std::io::Result::Ok(())
        })
    });
}
