//! Random blocks: the methods that are reported as undecided are those of a simple model.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::secured;

/// A linear congruential generator with Knuth's constants.
struct Random(u64);

impl Random {
    fn one_in(&mut self, of: u64) -> bool {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).is_multiple_of(of)
    }
}

#[test]
fn each_undecided_method_of_a_random_block_is_reported() {
    let mut random = Random(20_261_121);
    let mut undecided_in_all = 0;
    for block in 0..200 {
        let is_service = random.one_in(2);
        let has_guard = random.one_in(3);
        let mut undecided = Vec::new();
        let methods = (0..6).map(|number| {
            let name = format_ident!("m{number}");
            let is_tool = is_service || !random.one_in(4);
            let tool = (is_tool && !is_service).then(|| quote!(#[tool]));
            let [public, above, parameter] = [random.one_in(4), random.one_in(3), random.one_in(3)];
            // Any other method of an MCP server is called by no client, so nothing is above it.
            let public = is_tool && public;
            let above = is_tool && above && !public;
            let parameter = is_tool && parameter && !public;
            if is_tool && !public && !above && !parameter && !has_guard {
                undecided.push(name.to_string());
            }
            let public = public.then(|| quote!(#[public(reason = "anyone may")]));
            let above = above.then(|| quote!(#[security(user)]));
            let parameter = parameter.then(|| quote!(, #[security(user)] user: User));
            quote!(#public #above #tool async fn #name(&self, request: Request<()> #parameter) -> Answer {})
        });
        let methods: TokenStream = methods.collect();
        let header = match is_service {
            true => quote!(#[tonic::async_trait] impl Notes for Service),
            false => quote!(#[tool_router] impl Service),
        };
        let guard = has_guard.then(|| quote!(user));
        let expansion = secured::expand(quote!(#guard), &quote!(#header { #methods })).to_string();
        let found = expansion.matches("is neither secured nor public").count();
        let others = expansion.matches("compile_error").count() - found;
        // A block of tools without any is reported as a whole.
        assert!(
            others == 0 || !is_service && !expansion.contains("# [tool]"),
            "{block}: {expansion}"
        );
        assert_eq!(found, undecided.len(), "{block}: {undecided:?}");
        for name in undecided {
            assert!(!expansion.contains(&format!("__secured_Notes_Service_{name}_0 {{")), "{name}");
        }
        undecided_in_all += found;
    }
    assert!(undecided_in_all > 100, "{undecided_in_all}");
}
