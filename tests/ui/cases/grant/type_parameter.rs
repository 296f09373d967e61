use tollgate::Grant;

#[derive(Grant)]
enum Grant<T> {
    Own(T),
}

fn main() {}
