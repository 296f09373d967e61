//! Decisions that a macro makes only by the tokens: by a type's name, or by an attribute's place.
//! Whole expansions are in `snapshots`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::{dependency, http_bearer, oauth2, plan, secured};

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
fn what_can_fail_is_told_by_its_name() {
    let outcome = |returned: TokenStream| {
        let item = quote!(
            fn f() -> #returned {}
        );
        dependency::expand(quote!(local), &item)
    };
    let (fails, check) = ("::doorward::__rt::Reject<", "check_output");
    for returned in [quote!(u32), quote!(Either<A, B>), quote!(dyn Result<A, B>)] {
        let expansion = outcome(returned.clone());
        let output = format!("type Output = {returned};");
        assert_holds(&expansion, &[(&output, 1), (fails, 0), (check, 1), ("Fallible", 0)]);
    }
    for returned in
        [quote!(Result<A, B>), grouped(quote!(Result<A, B>)).into(), quote!((Result<A, B>))]
    {
        let is_plain = matches!(returned.clone().into_iter().next(), Some(TokenTree::Ident(_)));
        let expansion = outcome(returned);
        assert_holds(&expansion, &[(fails, 1), (check, 0)]);
        if is_plain {
            let wanted = [
                ("type Output = A;", 1),
                ("AnswerOf<Self, B>", 1),
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
                    &format!(
                        "type Output = <{returned} as ::doorward::bounds::Fallible>::Output::<>;"
                    ),
                    1,
                ),
                (
                    &format!(
                        "AnswerOf<Self, <{returned} as ::doorward::bounds::Fallible>::Error::<>>"
                    ),
                    1,
                ),
                (
                    &format!(
                        "match <{returned} as ::doorward::bounds::Fallible>::into_result::<>(f())"
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
fn every_kind_of_function_is_one() {
    for head in ["async", "const", "unsafe", "extern \"C\"", "const async unsafe extern \"C\"", ""]
    {
        let item = format!("{head} fn f(#[security(user)] user: User) {{}}");
        let expansion = secured::expand(TokenStream::new(), &item.parse().unwrap());
        assert_holds(&expansion, &[("compile_error", 0), (&format!("{head} fn f("), 1)]);
    }
    for broken in ["fn f(a) {}", "async f() {}", "fn f(a: A)", "fn (a: A) {}"] {
        let expansion = dependency::expand(TokenStream::new(), &broken.parse().unwrap());
        assert_holds(&expansion, &[("compile_error", 1), ("belongs on a function", 1)]);
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
    let extension = "(\"x-doorward\" = json!(::doorward::__rt::extension::<__secured_f_0>()))";
    let alone = format!("extensions({extension})");
    for (attrs, documented) in [
        (quote!(#[utoipa::path]), format!("#[utoipa::path({alone})]")),
        (quote!(#[utoipa::path()]), format!("#[utoipa::path({alone})]")),
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
            ("::doorward::__documented!", 1),
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
        assert_holds(&expand(attrs), &[("x-doorward", 0), ("__undocumented", 1)]);
    }
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

/// The comma between the arguments of a type is not one between the arguments of the attribute.
#[test]
fn a_type_may_have_commas_and_come_out_of_a_macro() {
    let item = quote!(
        struct Api;
    );
    let types = [
        quote!(Pair<A, B>),
        quote!(users::Pair<'static, Vec<(A, B)>, { 1 + 2 }>),
        quote!(<A as Of<B, C>>::D),
        quote!(fn(A, B) -> C),
        quote!(Claims),
        quote!((A, B)),
        quote!([u8; 4]),
        quote!((Claims)),
        quote!(Box<dyn Fn(A, B) -> C>),
    ];
    for ty in types.iter().flat_map(|ty| [ty.clone(), grouped(ty.clone()).into()]) {
        let args =
            quote!(verified = #ty, by = #ty, error = #ty, strict, scopes("items" = "Items."));
        let expansion = http_bearer::expand(args, &item);
        let error = format!("::doorward::__rt::AnswerOf<Api, {ty}>");
        let written = format!("__verified!(Api, {ty}, {ty}; {error}, true);");
        assert_holds(&expansion, &[("compile_error", 0), (&written, 1), ("\"items\"", 1)]);
    }
    // A comparison is an expression.
    let expansion = http_bearer::expand(quote!(rejection = A < B, strict), &item);
    assert_holds(&expansion, &[("compile_error", 0), ("A < B", 1)]);
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
    assert_holds(&inner, &[("compile_error", 1), ("__secured_handler_0>", 1)]);
}

/// Nothing is emitted for a value that is not extracted, or that cannot be.
#[test]
fn a_value_is_extracted_if_its_type_may_be_of_this_crate() {
    let expansion = |args: TokenStream, returned: TokenStream| {
        let item = quote!(
            fn user() -> #returned {}
        );
        dependency::expand(args, &item)
    };
    let extractors = |own, local, stub| {
        [
            ("__extract!(user,", own),
            ("__extract_local!(user,", local),
            ("__extract!(::doorward::__rt::Broken<User>, User);", stub),
            ("__rt::Extracted<user>", own + local),
        ]
    };
    for args in [quote!(), quote!(cached), quote!(extract = false)] {
        assert_holds(&expansion(args, quote!(User)), &extractors(0, 0, 0));
    }
    for returned in [quote!(User), quote!(Result<User, E>), quote!(FoundResult<User>)] {
        let own = expansion(quote!(extract), returned.clone());
        assert_holds(&own, &extractors(1, 0, 0));
        let local = expansion(quote!(local, extract), returned);
        assert_holds(&local, &extractors(0, 1, 0));
    }
    for returned in
        [quote!(String), quote!(Result<Option<User>, E>), quote!(()), quote!(UserResult)]
    {
        let foreign = expansion(quote!(extract), returned);
        assert_holds(&foreign, &extractors(0, 0, 0));
        assert_holds(&foreign, &[("::doorward::__rejected!(user);", 1)]);
    }
    let rejected = expansion(quote!(extract, insufficient_scope = 404), quote!(User));
    assert_holds(&rejected, &extractors(0, 0, 1));
}
