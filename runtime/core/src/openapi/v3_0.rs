//! What [OpenAPI 3.0](https://spec.openapis.org/oas/v3.0.4.html) says in another way than 3.1: its
//! schemas are not quite those of JSON Schema, and only two types of schemes have scopes.

use crate::openapi::operation::Requirement;
use crate::plan::alternatives::is_same;
use crate::syntax::json::tree::{Object, Tree};

impl Requirement {
    /// Returns the requirement as 3.0 has it.
    pub(super) fn of_v3_0(mut self) -> Self {
        let mut security: Vec<_> = Vec::new();
        for mut alternative in self.security {
            for (name, scopes) in &mut alternative {
                let kind = self.schemes.get(name).and_then(|scheme| scheme.get("type")?.as_str());
                if !matches!(kind, Some("oauth2" | "openIdConnect")) {
                    scopes.clear();
                }
            }
            if !security.iter().any(|other| is_same(other, &alternative)) {
                security.push(alternative);
            }
        }
        self.security = security;
        let responses = self.responses.iter_mut().chain(self.safe_responses.iter_mut());
        for (_, response) in responses {
            let parts = members(response).filter(|(name, _)| ["content", "headers"].contains(name));
            for (_, part) in parts.flat_map(|(_, parts)| members(parts)) {
                members(part)
                    .filter(|(name, _)| *name == "schema")
                    .for_each(|(_, found)| *found = schema(found));
            }
        }
        self.schemas.iter_mut().for_each(|(_, found)| *found = schema(found));
        self
    }
}

fn members(of: &mut Tree) -> impl Iterator<Item = (&str, &mut Tree)> {
    of.as_object_mut().into_iter().flat_map(Object::iter_mut)
}

/// The keywords without a schema in them that mean the same in both versions.
const KEYWORDS: &str = " default deprecated description discriminator enum example externalDocs \
    format maxItems maxLength maxProperties maximum minItems minLength minProperties minimum \
    multipleOf pattern readOnly title type uniqueItems writeOnly xml ";

/// Returns a [Schema Object](https://spec.openapis.org/oas/v3.0.4.html#schema-object) as 3.0 has
/// it. A keyword that 3.0 does not know is left out.
pub(super) fn schema(written: &Tree) -> Tree {
    let written = match written {
        Tree::Object(keywords) => keywords,
        Tree::Bool(false) => return Tree::object([("not", Tree::object([]))]),
        _ => return Tree::object([]),
    };
    if let Some(reference) = written.get("$ref") {
        return Tree::object([("$ref", reference.clone())]);
    }
    let has = |keyword: &str| written.get(keyword).is_some();
    let mut object = Object::default();
    for (keyword, value) in written.iter() {
        let items = value.as_array().unwrap_or_default();
        match keyword {
            "type" if value.as_str() == Some("null") => add_null(&mut object),
            "type" if !items.is_empty() => add_types(items, &mut object),
            "anyOf" | "oneOf" => add_alternatives(keyword, items, written, &mut object),
            "allOf" => object.add(keyword, items.iter().map(schema).collect()),
            "properties" => {
                let mut properties = value.clone();
                members(&mut properties).for_each(|(_, found)| *found = schema(found));
                object.add(keyword, properties);
            }
            "additionalProperties" if matches!(value, Tree::Bool(_)) => {
                object.add(keyword, value.clone());
            }
            // The items that have a schema each.
            "items" if has("prefixItems") => {}
            "additionalProperties" | "items" | "not" => object.add(keyword, schema(value)),
            "const" => object.add("enum", [value.clone()].into_iter().collect()),
            "examples" => {
                items.iter().take(1).for_each(|first| object.add("example", first.clone()));
            }
            "exclusiveMinimum" | "exclusiveMaximum" => {
                let limit = keyword.replace("exclusiveM", "m");
                if !has(&limit) {
                    object.add(&limit, value.clone());
                    object.add(keyword, true.into());
                }
            }
            "required" if items.is_empty() => {}
            "required" => object.add(keyword, value.clone()),
            _ if KEYWORDS.contains(&format!(" {keyword} ")) || keyword.starts_with("x-") => {
                object.add(keyword, value.clone());
            }
            _ => {}
        }
    }
    if object.get("type").and_then(Tree::as_str) == Some("array") {
        object.add("items", Tree::object([]));
    }
    Tree::Object(object)
}

/// Adds the keywords that only `null` matches.
fn add_null(to: &mut Object) {
    to.add("nullable", true.into());
    to.add("enum", [Tree::Null].into_iter().collect());
}

/// Adds a list of types, of which 3.0 has one.
fn add_types(types: &[Tree], to: &mut Object) {
    let mut others = types.iter().filter(|ty| ty.as_str() != Some("null"));
    if let (Some(only), None) = (others.next(), others.next()) {
        to.add("type", only.clone());
        if types.len() > 1 {
            to.add("nullable", true.into());
        }
    } else {
        let types = types.iter().map(|ty| schema(&Tree::object([("type", ty.clone())])));
        to.add("anyOf", types.collect());
    }
}

/// Adds a list of schemas. One that has a type and is next to `null` becomes a part of the
/// schema that it is in, which is then `nullable`.
fn add_alternatives(keyword: &str, schemas: &[Tree], written: &Object, to: &mut Object) {
    let is_null = |schema: &Tree| schema.get("type").and_then(Tree::as_str) == Some("null");
    let only = match schemas {
        [only, null] | [null, only] if is_null(null) => schema(only).into_object(),
        _ => Object::default(),
    };
    let is_part = only.iter().all(|(name, _)| written.get(name).is_none());
    if is_part && only.get("type").is_some() {
        for (name, value) in only.iter() {
            let values = value.as_array().unwrap_or_default().iter().cloned();
            to.add(
                name,
                match name {
                    "enum" => values.chain([Tree::Null]).collect(),
                    _ => value.clone(),
                },
            );
        }
        to.add("nullable", true.into());
    } else {
        to.add(keyword, schemas.iter().map(schema).collect());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::schema;
    use crate::syntax::json::tree::Tree;

    #[test]
    fn schemas_are_written_as_3_0_has_them() {
        let nothing = json!({ "nullable": true, "enum": [null] });
        let string = json!({ "type": "string" });
        let reference = json!({ "$ref": "#/components/schemas/A" });
        for (written, expected) in [
            (json!({ "type": ["string", "null"] }), json!({ "type": "string", "nullable": true })),
            (
                json!({ "type": ["null", "object"], "properties": { "type": { "type": ["null"] } } }),
                json!({ "type": "object", "nullable": true, "properties": { "type": { "anyOf": [nothing] } } }),
            ),
            (json!({ "type": ["string"] }), string.clone()),
            (
                json!({ "type": ["string", "array", "null"] }),
                json!({ "anyOf": [string, { "type": "array", "items": {} }, nothing] }),
            ),
            (json!({ "type": "null" }), nothing.clone()),
            (
                json!({ "type": ["array", "null"], "items": { "const": 1 } }),
                json!({ "type": "array", "nullable": true, "items": { "enum": [1] } }),
            ),
            (
                json!({ "anyOf": [{ "type": "string" }, { "type": "null" }], "format": "password" }),
                json!({ "type": "string", "nullable": true, "format": "password" }),
            ),
            (
                json!({ "anyOf": [{ "type": "string", "enum": ["a"] }, { "type": "null" }] }),
                json!({ "type": "string", "enum": ["a", null], "nullable": true }),
            ),
            // A keyword for both alternatives stays one.
            (
                json!({ "oneOf": [{ "type": "null" }, { "type": "string", "title": "a" }], "title": "b" }),
                json!({ "oneOf": [nothing, { "type": "string", "title": "a" }], "title": "b" }),
            ),
            (
                json!({ "oneOf": [{ "type": "null" }, reference] }),
                json!({ "oneOf": [nothing, reference] }),
            ),
            (json!({ "anyOf": [{}, { "type": "null" }] }), json!({ "anyOf": [{}, nothing] })),
            (json!({ "$ref": "#/components/schemas/A", "description": "b" }), reference.clone()),
            (json!({ "allOf": [true, false] }), json!({ "allOf": [{}, { "not": {} }] })),
            (
                json!({ "type": "array", "prefixItems": [string], "items": false }),
                json!({ "type": "array", "items": {} }),
            ),
            (
                json!({ "type": "object", "additionalProperties": false, "required": [], "propertyNames": string }),
                json!({ "type": "object", "additionalProperties": false }),
            ),
            (
                json!({ "additionalProperties": { "type": ["string", "null"] }, "required": ["a"] }),
                json!({ "additionalProperties": { "type": "string", "nullable": true }, "required": ["a"] }),
            ),
            (
                json!({ "type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9, "maximum": 7 }),
                json!({ "type": "integer", "minimum": 0, "exclusiveMinimum": true, "maximum": 7 }),
            ),
            (
                json!({ "type": "string", "examples": ["a", "b"], "contentEncoding": "base64", "x-a": { "const": 1 } }),
                json!({ "type": "string", "example": "a", "x-a": { "const": 1 } }),
            ),
        ] {
            let found = schema(&Tree::of(&written).unwrap());
            assert_eq!(Value::from(found), expected, "{written}");
        }
    }
}
