use tollgate::secured;

mod auth {
    #[tollgate::dependency]
    fn user() -> Result<u32, tollgate::Rejection> {
        Ok(1)
    }
}

#[secured]
async fn handler(#[security(auth::user)] user: u32) {
    let _ = user;
}

fn main() {}
