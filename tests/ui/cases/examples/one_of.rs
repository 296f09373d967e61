use doorward::{AuthorizationValue, BearerError, oauth2, oauth2_password_bearer};

include!("../callers.rs");

#[oauth2]
struct Any;

#[one_of]
enum BearerBelowAnyAuthorization {
    #[security(Any)]
    Any(AuthorizationValue),
    #[security(user)]
    User(String),
}

#[one_of(cached)]
enum CachedButNotClone {
    #[security(user)]
    User(String),
}

#[one_of(cached, local)]
enum Local {
    #[security(user)]
    User(String),
}

#[one_of]
enum CfgOnAVariant {
    #[security(user)]
    User(String),
    #[cfg(test)]
    Anonymous,
}

#[one_of]
enum Inner {
    #[security(user)]
    User(String),
    #[security(service)]
    Service(()),
}

#[one_of]
enum CoveredByANestedList {
    #[security(Inner)]
    Inner(Inner),
    #[security(Key)]
    Key(ApiKey),
}

#[one_of]
enum DependencyWithoutAValue {
    #[security(user)]
    User,
    Anonymous,
}

#[dependency]
fn settings() -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum EachAlternativeAtOnce {
    #[security(settings)]
    Settings(u32),
    #[security(user)]
    User(String),
    #[security(Token)]
    Token(BearerToken),
}

#[one_of]
enum ElidedLifetime {
    #[security(user)]
    User(&str),
}

#[one_of(cache)]
enum EveryMistakeAtOnce {
    User(String),
    #[cfg(test)]
    #[security(usr, scopes(1))]
    Other(String),
    #[security(service)]
    Service,
    Anonymous,
    Nobody,
}

#[one_of]
enum Generic<T> {
    #[security(user)]
    User(T),
}

#[one_of]
enum Caller {
    #[security(user)]
    User(String),
    #[security(Key)]
    Key(ApiKey),
}

#[secured(Caller)]
async fn guard_with_a_bare_scheme() {}

#[one_of]
enum Visitor {
    #[security(user)]
    User(String),
    Anonymous,
}

#[secured(Visitor)]
async fn guard_with_an_empty_variant() {}

fn layer_with_an_empty_variant() {
    let _ = layer!(Visitor);
}

#[oauth2_password_bearer(
    token_url = "token",
    scopes("admin" implies("read") = "Everything.", "read" = "Read.")
)]
struct Ours;

#[api_key(header = "X-Partner-Key", scopes("read" = "Read."))]
struct Partner;

#[api_key(header = "X-Service-Key")]
struct Service;

#[one_of]
enum UserOrPartner {
    #[security(Ours)]
    User(BearerToken),
    #[security(Partner)]
    Partner(ApiKey),
}

#[dependency]
async fn hierarchy_of_another_scheme(
    #[security(UserOrPartner)] caller: UserOrPartner,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    scopes.check(match &caller {
        UserOrPartner::User(token) => token.as_str(),
        UserOrPartner::Partner(key) => key.as_str(),
    })?;
    Ok(())
}

#[one_of]
enum UserOrService {
    #[security(Ours)]
    User(BearerToken),
    #[security(Service)]
    Service(ApiKey),
}

#[dependency]
async fn hierarchy_beside_a_key(
    #[security(UserOrService)] _caller: UserOrService,
    _scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Ok(())
}

#[http_bearer]
struct Api;

#[one_of]
enum LenientMisspelt {
    #[security(Api, leniant)]
    Token(BearerToken),
    Nobody,
}

#[secured]
async fn lenient_on_a_parameter(#[security(Api, lenient)] _token: BearerToken) {}

#[one_of]
enum NamedValue {
    #[security(user)]
    User { name: String },
}

#[one_of]
enum NamesItself {
    #[security(user)]
    User(String),
    #[security(NamesItself)]
    Again(Box<NamesItself>),
}

#[dependency]
fn both(#[security(Token)] _token: BearerToken, #[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[one_of]
enum NeedsACoveredCredential {
    #[security(service)]
    Service(()),
    #[security(both)]
    Both(()),
}

#[one_of]
enum NoAlternative {}

#[one_of]
enum Nobody {
    Anonymous,
}

struct Settings;

#[one_of]
enum NotADependency {
    #[security(Settings)]
    User(String),
}

#[dependency]
fn generic<T>(#[security(Token)] _token: BearerToken) -> Result<u32, Rejection> {
    Ok(1)
}

#[dependency]
fn broken(#[security(Token, scops("items"))] _token: BearerToken) -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum OfARejectedDependency {
    #[security(generic)]
    Generic(u32),
    #[security(broken)]
    Broken(u32),
}

#[api_key(header = "x api key")]
struct One;

#[api_key]
struct Two;

#[one_of]
enum OfASchemeWithAMistake {
    #[security(user)]
    User(String),
    #[security(One)]
    One(ApiKey),
    #[security(Two)]
    Two(ApiKey),
}

#[one_of]
fn on_a_function() {}

#[one_of]
struct OnAStruct {
    #[security(user)]
    user: String,
}

#[one_of]
enum UserOrNobody {
    #[security(user)]
    User(String),
    Anonymous,
}

#[one_of]
enum RequiresAnOptionalList {
    #[security(UserOrNobody)]
    UserOrNobody(UserOrNobody),
}

#[http_bearer(auto_error = false)]
struct Optional;

#[one_of]
enum RequiresAnOptionalScheme {
    #[security(Optional)]
    User(Option<BearerToken>),
}

#[dependency]
fn constant() -> Result<u32, Rejection> {
    Ok(1)
}

#[one_of]
enum RequiresNoScheme {
    #[security(user)]
    User(String),
    #[security(constant)]
    Service(u32),
}

#[http_bearer]
struct Other;

#[dependency]
fn machine(#[security(Other)] token: BearerToken) -> Result<BearerToken, Rejection> {
    Ok(token)
}

#[one_of]
enum SameBearer {
    #[security(user)]
    User(String),
    #[security(machine)]
    Service(BearerToken),
}

#[api_key(header = "X-API-Key")]
struct SameKey;

#[one_of]
enum SameHeader {
    #[security(service)]
    Service(()),
    #[security(SameKey)]
    SameKey(ApiKey),
}

macro_rules! chain {
    ($below:ident $name:ident $($rest:ident)*) => {
        #[dependency]
        fn $name(#[security($below)] token: BearerToken) -> Result<BearerToken, Rejection> {
            Ok(token)
        }

        chain!($name $($rest)*);
    };
    ($last:ident) => {};
}

chain!(Token a b c d e f g h i j k l m n o);

#[one_of]
enum TooLong {
    #[security(Key)]
    Key(ApiKey),
    #[security(o)]
    Long(BearerToken),
}

#[one_of]
enum TwoDependencies {
    #[security(user)]
    #[security(service)]
    Both(String),
}

#[one_of]
enum TwoDependenciesInOneAttribute {
    #[security(user, service)]
    Both(String),
}

#[one_of]
enum TwoValues {
    #[security(user)]
    User(String, u32),
}

#[one_of]
enum TwoVariantsWithoutAValue {
    #[security(user)]
    User(String),
    Anonymous,
    Nobody,
}

#[one_of(cache)]
enum UnknownArgument {
    #[security(user)]
    User(String),
}

#[one_of]
enum UnknownOption {
    #[security(user, unscopd)]
    User(String),
    #[security(service, unscoped, unscoped)]
    Service(()),
}

#[secured]
async fn unscoped_parameter(#[security(user, unscoped)] user: String) {
    drop(user);
}

#[secured(user, unscoped)]
async fn guard_unscoped_parameter() {}

#[dependency]
fn admin(#[security(user, unscoped)] user: String) -> Result<String, Rejection> {
    Ok(user)
}

#[one_of]
enum ValueWithoutADependency {
    User(String),
}

#[one_of]
enum WithoutAPath {
    #[security]
    User(String),
}

#[one_of]
enum WrongType {
    #[security(user)]
    User(u32),
    #[security(service)]
    Service(Option<()>),
}

// What takes them has no errors of its own.
#[secured]
async fn takes_what_has_mistakes(
    #[security(CachedButNotClone)] _cached_but_not_clone: CachedButNotClone,
    #[security(CfgOnAVariant)] _cfg_on_a_variant: CfgOnAVariant,
    #[security(DependencyWithoutAValue)] _dependency_without_a_value: DependencyWithoutAValue,
    #[security(EveryMistakeAtOnce)] _every_mistake_at_once: EveryMistakeAtOnce,
    #[security(NamedValue)] _named_value: NamedValue,
    #[security(OfARejectedDependency)] _of_a_rejected_dependency: OfARejectedDependency,
    #[security(OfASchemeWithAMistake)] _of_a_scheme_with_a_mistake: OfASchemeWithAMistake,
    #[security(OnAStruct)] _on_a_struct: OnAStruct,
    #[security(TwoDependencies)] _two_dependencies: TwoDependencies,
    #[security(TwoDependenciesInOneAttribute)] _two_dependencies_in_one_attribute: TwoDependenciesInOneAttribute,
    #[security(TwoValues)] _two_values: TwoValues,
    #[security(TwoVariantsWithoutAValue)] _two_variants_without_a_value: TwoVariantsWithoutAValue,
    #[security(UnknownArgument)] _unknown_argument: UnknownArgument,
    #[security(UnknownOption)] _unknown_option: UnknownOption,
    #[security(ValueWithoutADependency)] _value_without_a_dependency: ValueWithoutADependency,
    #[security(WithoutAPath)] _without_a_path: WithoutAPath,
) {
}

#[doorward::api_key(header = "authorization")]
struct WholeLine;

#[one_of]
enum BelowTheWholeLine {
    #[security(WholeLine)]
    Key(ApiKey),
    #[security(user)]
    User(String),
}

fn main() {}
