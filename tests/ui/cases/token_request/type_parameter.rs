use tollgate::TokenRequest;

#[derive(TokenRequest)]
enum Grant<T> {
    Own(T),
}

fn main() {}
