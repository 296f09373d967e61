use tollgate::operation;

async fn handler() {}

fn main() {
    let _ = operation!(handler);
}
