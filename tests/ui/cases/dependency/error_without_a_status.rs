use axum::Json;
use tollgate::dependency;

type Sentence = &'static str;

#[dependency]
fn first() -> Result<(), Sentence> {
    Err("no")
}

#[dependency]
fn second() -> Result<u32, ()> {
    Err(())
}

#[dependency]
fn third() -> Result<u32, Json<String>> {
    Ok(3)
}

mod alias {
    pub type Result<T> = std::result::Result<T, String>;
}

#[dependency]
fn fourth() -> alias::Result<u32> {
    Err("no".to_owned())
}

fn main() {}
