//! Writes the code of two services, as tonic's build script does from their `.proto` file, and random
//! blocks with `#[secured]`.

#[path = "build/blocks.rs"]
mod blocks;
#[path = "../../build/random.rs"]
mod random;

use std::path::PathBuf;
use std::{env, fs};

use tonic_build::manual::{Builder, Method, MethodBuilder, Service};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=DOORWARD_TREES_SEED");
    let notes = Service::builder()
        .package("notes.v1")
        .name("Notes")
        .method(method("get", "Get").build())
        .method(method("put", "Put").build())
        .method(method("watch", "Watch").server_streaming().build());
    let journal = Service::builder()
        .package("notes.v1")
        .name("Journal")
        .method(method("collect", "Collect").client_streaming().build())
        .method(method("talk", "Talk").client_streaming().server_streaming().build());
    Builder::new().compile(&[notes.build(), journal.build()]);
    let folder = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(folder.join("blocks.rs"), blocks::generate(&mut random::Random::seeded())?)?;
    Ok(())
}

fn method(name: &str, route: &str) -> MethodBuilder {
    Method::builder()
        .name(name)
        .route_name(route)
        .input_type("crate::notes::Note")
        .output_type("crate::notes::Note")
        .codec_path("tonic_prost::ProstCodec")
}
