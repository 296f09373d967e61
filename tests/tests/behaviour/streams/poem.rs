//! poem 3.

use std::io;

use doorward::live::Live;
use doorward::{declared, secured};
use futures_util::StreamExt;
use poem::listener::TcpAcceptor;
use poem::{Body, EndpointExt, Response, Route, Server, get, handler};

use super::{Api, EVERY, TcpListener, Tokens, news};

#[secured(Api)]
#[handler]
async fn events(live: Live) -> Response {
    let events = news().map(|news| Ok::<_, io::Error>(format!("data: {news}\n\n")));
    let events = Body::from_bytes_stream(live.every(EVERY).around(events));
    Response::builder().content_type("text/event-stream").body(events)
}

pub(super) fn serve(listener: TcpListener, tokens: Tokens) {
    let app = Route::new().at("/events", get(declared(events)).data(tokens));
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let acceptor = TcpAcceptor::from_std(listener)?;
            Server::new_with_acceptor(acceptor).run(app).await
        })
    });
}
