//! `list = granted`: the method that lists the tools.

use darling::error::Accumulator;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::Block;
use super::entry::argument;
use super::routes::entries_of;
use crate::attribute::error_at;

/// Returns the method, if the block asks for it.
pub(super) fn method(block: &Block, errors: &mut Accumulator) -> TokenStream {
    let Some((routers, at)) = &block.settings.list else { return TokenStream::new() };
    let handler =
        block.header.attrs.iter().find(|attr| {
            attr.path().segments.last().is_some_and(|last| last.ident == "tool_handler")
        });
    let handler = handler.filter(|_| block.is_server_handler);
    let Some(handler) = handler else {
        let sentence = "`list = granted` writes `list_tools`; write it above `#[tool_handler] impl ServerHandler`, instead of \
                        `#[tool_router(server_handler)]`";
        errors.push(error_at(*at, sentence));
        return TokenStream::new();
    };
    let router = argument(handler, "router");
    let router = router.unwrap_or_else(|| quote!(Self::tool_router()));
    let meta = match argument(handler, "meta") {
        Some(meta) => quote!(::core::option::Option::Some(#meta)),
        None => quote!(::core::option::Option::None),
    };
    let default = [format_ident!("tool_router")];
    let routers = if routers.is_empty() { &default[..] } else { routers };
    let tables = routers.iter().map(entries_of);
    let krate = &block.krate;
    let rmcp = quote!(#krate::__rt::rmcp3::rmcp);
    quote! {
        async fn list_tools(
            &self,
            _request: ::core::option::Option<#rmcp::model::PaginatedRequestParams>,
            context: #rmcp::service::RequestContext<#rmcp::RoleServer>,
        ) -> ::core::result::Result<#rmcp::model::ListToolsResult, #rmcp::ErrorData> {
            let tables = [#(Self::#tables()),*];
            let tools = #router.list_all();
            ::core::result::Result::Ok(#krate::__rt::rmcp3::list_granted(tools, &tables, #meta, &context))
        }
    }
}
