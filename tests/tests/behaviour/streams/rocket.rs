//! rocket 0.5.

use std::sync::mpsc::channel;

use doorward::live::Live;
use doorward::rocket05::{Doorward, routes};
use doorward::secured;
use futures_util::{Stream, StreamExt};
use rocket::fairing::AdHoc;
use rocket::get;
use rocket::response::stream::{Event, EventStream};

use super::{Api, EVERY, TcpListener, Tokens, news};

#[secured(Api)]
#[get("/events")]
async fn events(live: Live) -> EventStream<impl Stream<Item = Event>> {
    EventStream::from(live.every(EVERY).around(news().map(Event::data)))
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
        .attach(AdHoc::on_liftoff("listens", |_| Box::pin(async move { listens.send(()).unwrap() })))
        .manage(tokens)
        .mount("/", routes![events]);
    std::thread::spawn(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(app.launch())
    });
    waits.recv().unwrap();
}
