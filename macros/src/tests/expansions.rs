//! Fragments that an expansion must or must not contain, for each form of a function and its
//! parameters. Whole expansions are in `snapshots`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::{
    dependency, layer, oauth2, operation, plan,
    request_form::{self, Kind},
    secured,
};

/// Asserts how often each fragment occurs in an expansion, ignoring whitespace.
#[track_caller]
fn assert_holds(expansion: &TokenStream, wanted: &[(&str, usize)]) {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let expansion = squeezed(&expansion.to_string());
    for (wanted, times) in wanted {
        assert_eq!(
            expansion.matches(&squeezed(wanted)).count(),
            *times,
            "`{wanted}` in {expansion}"
        );
    }
}

/// Groups tokens as a `macro_rules!` macro does when it passes them on.
fn grouped(tokens: TokenStream) -> TokenTree {
    TokenTree::Group(Group::new(Delimiter::None, tokens))
}

#[test]
fn dependencies_are_numbered_in_order() {
    let item = quote!(
        fn f(#[security(a)] x: A, db: Db, #[security(b)] y: B, #[security(c)] z: C) {}
    );
    let expansion = dependency::expand(quote!(local), &item);
    assert_holds(
        &expansion,
        &[
            ("at.child(0usize)", 1),
            ("at.child(1usize)", 1),
            ("at.child(2usize)", 1),
            ("<(a, b, c,) as ::tollgate::bounds::Named>::Cursor", 1),
        ],
    );
    let item = quote!(
        fn f() {}
    );
    let expansion = dependency::expand(quote!(local), &item);
    assert_holds(&expansion, &[("at: ::tollgate::__rt::Cursor", 1)]);
}

#[test]
fn what_can_fail_is_told_by_its_name() {
    let outcome = |returned: TokenStream| {
        let item = quote!(
            fn f() -> #returned {}
        );
        dependency::expand(quote!(local), &item)
    };
    let (fails, check) = ("::tollgate::__rt::Reject<", "check_output");
    for returned in [quote!(u32), quote!(Either<A, B>), quote!(dyn Result<A, B>)] {
        let expansion = outcome(returned.clone());
        let output = format!("type Output = {returned};");
        assert_holds(
            &expansion,
            &[(&output, 1), (fails, 0), (check, 1), ("Fallible", 0)],
        );
    }
    for returned in [
        quote!(Result<A, B>),
        grouped(quote!(Result<A, B>)).into(),
        quote!((Result<A, B>)),
    ] {
        let is_plain = matches!(
            returned.clone().into_iter().next(),
            Some(TokenTree::Ident(_))
        );
        let expansion = outcome(returned);
        assert_holds(&expansion, &[(fails, 1), (check, 0)]);
        if is_plain {
            let wanted = [
                ("type Output = A;", 1),
                ("Reject<B>", 1),
                ("Fallible", 0),
                ("match f()", 1),
            ];
            assert_holds(&expansion, &wanted);
        }
    }
    for returned in [
        "Result<A>",
        "io::Result<A>",
        "LoginResult",
        "LoginResult<A, B>",
        "Result<'static, A,>",
        "Result<A, B, C>",
    ] {
        let expansion = outcome(returned.parse().unwrap());
        assert_holds(
            &expansion,
            &[
                (
                    &format!("type Output = <{returned} as ::tollgate::bounds::Fallible>::Output;"),
                    1,
                ),
                (
                    &format!("Reject<<{returned} as ::tollgate::bounds::Fallible>::Error>"),
                    1,
                ),
                (
                    &format!(
                        "match <{returned} as ::tollgate::bounds::Fallible>::into_result(f())"
                    ),
                    1,
                ),
                (check, 0),
            ],
        );
    }
}

#[test]
fn an_alias_of_scopes_is_looked_for_where_it_can_be() {
    let check = "check_handler_extractor";
    let parameters = [
        (quote!(a: Alias), 1),
        (quote!(a: path::to::Alias), 1),
        (quote!(a: (Alias)), 1),
        (quote!(a: List<Alias>), 0),
        (quote!(a: &Alias), 0),
        (quote!(a: <A as B>::C), 0),
        (quote!(a: T), 0),
        (quote!(a: (T)), 0),
        (quote!(#[cfg(test)] a: Alias), 0),
        (quote!(#[cfg_attr(test, ignore)] a: Alias), 0),
        (quote!(#[allow(unused)] a: Alias), 1),
    ];
    for (parameter, times) in parameters {
        let item = quote!(
            fn f<T>(#parameter) {}
        );
        assert_holds(&secured::expand(quote!(OAuth2), &item), &[(check, times)]);
    }
    let alias = grouped(quote!(Alias));
    let item = quote!(
        fn f(a: #alias) {}
    );
    assert_holds(&secured::expand(quote!(OAuth2), &item), &[(check, 1)]);
    // A dependency must not read the body, so types with generic arguments are checked too.
    let item = quote!(
        fn f(a: Alias, b: List<Alias>, c: &Alias, d: <A as B>::C) {}
    );
    let expansion = dependency::expand(quote!(local), &item);
    assert_holds(&expansion, &[("check_extractor", 2)]);
}

#[test]
fn a_body_keeps_its_own_attributes_first() {
    let expand = |body: TokenStream| {
        let item = quote!(
            fn f(#[security(user)] user: User) { #body }
        );
        secured::expand(TokenStream::new(), &item)
    };
    let expansion = expand(quote!(#![allow(a)] #![allow(b)] c));
    assert_holds(
        &expansion,
        &[("{ #![allow(a)] #![allow(b)] let user: User", 1)],
    );
    let expansion = expand(quote!(#[allow(a)] let b = 1;));
    assert_holds(&expansion, &[("); #[allow(a)] let b = 1; }", 1)]);
    let expansion = expand(quote!(!a));
    assert_holds(&expansion, &[("); !a }", 1)]);
}

#[test]
fn attributes_of_one_handler_are_read_together() {
    let item = quote!(
        #[tollgate::secured(b, scopes("x"))]
        #[secured]
        #[other]
        #[other::secured(x)]
        fn f(#[security(c)] c: C, #[security(d)] d: D) {}
    );
    let expansion = secured::expand(quote!(crate = gate, a), &item);
    let markers = [
        "__guard_0: gate::Secured<(), __secured_f_0>",
        "__guard_1: gate::Secured<(), __secured_f_1>",
    ];
    assert_holds(
        &expansion,
        &[
            (markers[0], 1),
            (markers[1], 1),
            ("c: gate::Secured<C, __secured_f_2>", 1),
            ("d: gate::Secured<D, __secured_f_3>", 1),
            ("#[other]", 1),
            ("#[other::secured(x)]", 1),
            ("#[secured]", 0),
            ("check_guard(", 2),
            ("check_scope(<b as gate::Dependency>::NODE, \"x\")", 1),
            ("::tollgate", 0),
        ],
    );
}

#[test]
fn every_kind_of_function_is_one() {
    for head in [
        "async",
        "const",
        "unsafe",
        "extern \"C\"",
        "const async unsafe extern \"C\"",
        "",
    ] {
        let item = format!("{head} fn f(#[security(user)] user: User) {{}}");
        let expansion = secured::expand(TokenStream::new(), &item.parse().unwrap());
        assert_holds(
            &expansion,
            &[("compile_error", 0), (&format!("{head} fn f("), 1)],
        );
    }
    for broken in ["fn f(a) {}", "async f() {}", "fn f(a: A)", "fn (a: A) {}"] {
        let expansion = dependency::expand(TokenStream::new(), &broken.parse().unwrap());
        assert_holds(
            &expansion,
            &[("compile_error", 1), ("belongs on a function", 1)],
        );
    }
}

#[test]
fn an_operation_of_utoipa_carries_what_is_required() {
    let expand = |attrs: TokenStream| {
        let item = quote!(
            #attrs
            fn f() {}
        );
        secured::expand(quote!(OAuth2), &item)
    };
    let extension = "(\"x-tollgate\" = json!(::tollgate::__rt::extension::<__secured_f_0>()))";
    let alone = format!("extensions({extension})");
    for (attrs, documented) in [
        (quote!(#[utoipa::path]), format!("#[utoipa::path({alone})]")),
        (
            quote!(#[utoipa::path()]),
            format!("#[utoipa::path({alone})]"),
        ),
        (quote!(#[path(get)]), format!("#[path(get, {alone})]")),
        (quote!(#[path(get,)]), format!("#[path(get, {alone})]")),
        (quote!(#[path(get;)]), format!("#[path(get; , {alone})]")),
        (
            quote!(#[path(get, extensions(("x-a" = json!(1))), path = "/")]),
            format!("#[path(get, extensions({extension}, (\"x-a\" = json!(1))), path = \"/\")]"),
        ),
        (
            quote!(#[path(params(extensions), get)]),
            format!("#[path(params(extensions), get, {alone})]"),
        ),
    ] {
        let written = attrs.to_string();
        let wanted = [
            (&*documented, 1),
            (&*written, 1),
            ("::tollgate::__documented!", 1),
            ("__undocumented", 0),
        ];
        assert_holds(&expand(attrs), &wanted);
    }
    for attrs in [
        quote!(#[get("/")]),
        quote!(#[other::path("/")]),
        quote!(#[cfg_attr(docs, utoipa::path(get))]),
        quote!(),
    ] {
        assert_holds(&expand(attrs), &[("x-tollgate", 0), ("__undocumented", 1)]);
    }
}

#[test]
fn scopes_become_constants_where_they_are_named() {
    let item = quote!(
        struct OAuth2;
    );
    let args = quote!(flows(
        implicit(
            authorization_url = "a",
            scopes("me" as ME = "Me.", "it" = "It.")
        ),
        password(token_url = "b", scopes("all" as ALL = "All.")),
    ));
    let constant = "pub const ";
    assert_holds(
        &oauth2::expand(args, &item),
        &[
            (constant, 2),
            ("pub const ME: &'static ::core::primitive::str = \"me\";", 1),
            (
                "pub const ALL: &'static ::core::primitive::str = \"all\";",
                1,
            ),
        ],
    );
}

#[test]
fn a_layer_guards() {
    let expansion = layer::expand(quote!(user, scopes("me")));
    assert_holds(
        &expansion,
        &[
            ("::tollgate::SecurityLayer::new(", 1),
            ("check_guard(", 1),
            ("check_scope", 1),
        ],
    );
    let expansion = plan::expand(quote!(crate = gate, user));
    assert_holds(&expansion, &[("gate::Plan::<user>", 1), ("::tollgate", 0)]);
    let expansion = plan::expand(quote!(crate::user));
    assert_holds(&expansion, &[("::tollgate::Plan::<crate::user>", 1)]);
    let expansion = operation::expand(quote!(items::own));
    assert_holds(&expansion, &[("operation::<items::__secured_own_0>()", 1)]);
}

#[test]
fn parameters_may_come_out_of_a_macro() {
    let scope = grouped(quote!("items"));
    let expansion = plan::expand(quote!(user, scopes(#scope)));
    assert_holds(&expansion, &[("compile_error", 0), ("\"items\"", 2)]);
    let url = grouped(quote!("token"));
    let item = quote!(
        struct OAuth2;
    );
    let expansion = oauth2::expand(quote!(flows(password(token_url = #url))), &item);
    assert_holds(&expansion, &[("compile_error", 0), ("Text(\"token\")", 1)]);
}

#[test]
fn a_name_and_a_type_are_taken() {
    let item = quote!(
        fn f() {}
    );
    let expansion = dependency::expand(quote!(name = Other), &item);
    assert_holds(&expansion, &[("struct Other {}", 1), ("for Other", 3)]);
    let expansion = request_form::expand(
        Kind::Password,
        quote!(
            struct Login {
                #[password_form(from(u32))]
                username: User,
                #[password_form(from)]
                password: Option<Password>,
            }
        ),
    );
    let field = |ty: &str, from: &str| {
        format!(
            "<{ty} as ::tollgate::bounds::FromIntermediate<'_, {from}, _>>::take({{ use ::tollgate::__rt::AnyField as _; \
             <::tollgate::__rt::FieldOf<{ty}>>::way() }}, __fields,"
        )
    };
    assert_holds(
        &expansion,
        &[
            (&field("User", "u32"), 1),
            (&field("Option<Password>", "::std::string::String"), 1),
        ],
    );
}

#[test]
fn only_what_is_owned_is_yielded() {
    for (returned, is_borrowed) in [
        ("&str", true),
        ("&'static str", false),
        ("&'static &str", true),
        ("Option<&str>", true),
        ("Option<&'static str>", false),
        ("(u32, &str)", true),
        ("(&str)", true),
        ("Result<Vec<&str>, Error>", true),
        ("Box<dyn Fn(&str)>", false),
        ("fn(&str)", false),
        ("[u8; 4]", false),
        ("Cow<'_, str>", true),
        ("Cow<'static, str>", false),
        ("Option<impl Send>", true),
    ] {
        let item = format!("fn f() -> {returned} {{}}").parse().unwrap();
        let expansion = dependency::expand(TokenStream::new(), &item);
        let times = usize::from(is_borrowed);
        assert_holds(&expansion, &[("compile_error", times)]);
    }
    let reference = grouped(quote!(&str)).to_token_stream();
    let item = quote!(
        fn f() -> #reference {}
    );
    let expansion = dependency::expand(TokenStream::new(), &item);
    assert_holds(&expansion, &[("compile_error", 1)]);
}

/// The outer attribute cannot know that the other one is `#[secured]` too.
#[test]
fn a_second_spelling_is_reported_by_the_inner_attribute() {
    let item = quote!(
        #[guarded(b)]
        async fn handler(#[security(a)] user: User) {}
    );
    let outer = secured::expand(TokenStream::new(), &item);
    assert_holds(&outer, &[("compile_error", 0)]);
    let item: syn::File = syn::parse2(outer).unwrap();
    let syn::Item::Fn(mut function) = item.items[0].clone() else {
        panic!("the handler comes first")
    };
    function.attrs.clear();
    let inner = secured::expand(quote!(b), &function.to_token_stream());
    assert_holds(&inner, &[("compile_error", 1), ("__secured_handler_0", 1)]);
}
