//! Lists the public interface from a file of rustdoc JSON, one item per line.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let json = std::env::args_os().nth(1).ok_or("usage: interface FILE")?;
    let interface = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    print!("{interface}");
    Ok(())
}
