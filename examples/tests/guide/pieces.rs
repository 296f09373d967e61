//! The code of the pages beside the program that grows.

#[path = "../../guide/api_keys.rs"]
mod api_keys;
#[path = "../../guide/verified_tokens/both_kinds.rs"]
mod both_kinds;
#[path = "../../guide/verified_tokens/cookie.rs"]
mod cookie;
#[path = "../../guide/permissions/database.rs"]
mod database;
#[path = "../../guide/token_endpoint/device_codes.rs"]
mod device_codes;
#[path = "../../guide/dependencies/extensions.rs"]
mod extensions;
#[path = "../../guide/dependencies/extract.rs"]
mod extract;
#[path = "../../guide/dependencies/implies.rs"]
mod implies;
#[path = "../../guide/verified_tokens/introspection.rs"]
mod introspection;
#[path = "../../guide/testing/may.rs"]
mod may;
#[path = "../../guide/permissions/objects.rs"]
mod objects;
#[path = "../../guide/schemes/open_by_a_setting.rs"]
mod open_by_a_setting;
#[path = "../../guide/alternatives/optional.rs"]
mod optional;
#[path = "../../guide/alternatives/own_error.rs"]
mod own_error;
#[path = "../../guide/schemes/rejection.rs"]
mod rejection;
#[path = "../../guide/permissions/role_names.rs"]
mod role_names;
#[path = "../../guide/api_description/security_addon.rs"]
mod security_addon;
#[path = "../../guide/schemes/settings.rs"]
mod settings;
#[path = "../../guide/testing/test_issuer.rs"]
mod test_issuer;
#[path = "../../guide/token_endpoint/token_exchange.rs"]
mod token_exchange;
#[path = "../../guide/password_login/tokens_from_before.rs"]
mod tokens_from_before;
#[path = "../../guide/testing/who.rs"]
mod who;
