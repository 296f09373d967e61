use actix_web::{App, web};
use tollgate::declared;

async fn vouch(session: web::Path<u32>, steward: String) -> String {
    format!("{steward} vouched for {session}")
}

fn main() {
    let enrollment = web::scope("/enrollment").route("/{id}/vouch", web::post().to(declared(vouch)));
    let _app = App::new().service(enrollment);
}
