//! actix-web 4.

use core::pin::pin;

use actix_web::web::{Bytes, Payload, get};
use actix_web::{App, Error, HttpRequest, HttpResponse, HttpServer};
use actix_ws::{CloseCode, Message};
use doorward::actix_web4::Live;
use doorward::websocket::protocol;
use doorward::{declared, secured};
use futures_util::StreamExt;

use super::{Api, EVERY, TcpListener, Tokens, news};

#[secured(Api)]
async fn events(live: Live) -> HttpResponse {
    let events = news().map(|news| Ok::<_, Error>(Bytes::from(format!("data: {news}\n\n"))));
    let events = live.every(EVERY).around(events);
    HttpResponse::Ok().content_type("text/event-stream").streaming(events)
}

#[secured(Api)]
async fn socket(live: Live, request: HttpRequest, body: Payload) -> Result<HttpResponse, Error> {
    let offered = Vec::from_iter(protocol(&request));
    let (response, mut session, mut messages) =
        actix_ws::handle_with_protocols(&request, body, &offered)?;
    actix_web::rt::spawn(async move {
        let mut refused = pin!(live.every(EVERY).refused());
        loop {
            tokio::select! {
                Some(Ok(Message::Text(text))) = messages.recv() => {
                    let _ = session.text(text).await;
                }
                refusal = &mut refused => {
                    let code = CloseCode::from(refusal.close_code());
                    return session.close(Some(code.into())).await;
                }
                else => return Ok(()),
            }
        }
    });
    Ok(response)
}

pub(super) fn serve(listener: TcpListener, tokens: Tokens) {
    std::thread::spawn(move || {
        let app = move || {
            App::new()
                .app_data(tokens.clone())
                .route("/events", get().to(declared(events)))
                .route("/socket", get().to(declared(socket)))
        };
        let server = HttpServer::new(app).workers(1).disable_signals();
        actix_web::rt::System::new().block_on(server.listen(listener).unwrap().run())
    });
}
