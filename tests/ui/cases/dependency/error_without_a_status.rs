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

fn main() {}
