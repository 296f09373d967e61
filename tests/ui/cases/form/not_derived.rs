use tollgate::form::FormBody;
use tollgate::PasswordForm;

struct Login {
    username: String,
}

async fn handler(_: PasswordForm<Login>) {}

fn decode(body: &FormBody) {
    let _ = body.decode::<Login>();
}

fn main() {}
