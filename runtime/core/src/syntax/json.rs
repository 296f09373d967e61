//! JSON objects of texts, lists of texts, numbers and flags. The crate's responses need nothing
//! else.

#[cfg(feature = "openapi")]
pub(crate) mod tree;

use core::fmt::Write as _;

/// An object under construction.
pub(crate) struct ObjectWriter {
    json: String,
}

impl ObjectWriter {
    pub(crate) fn new() -> Self {
        Self { json: "{".to_owned() }
    }

    /// Adds a text member.
    pub(crate) fn text(mut self, name: &'static str, text: &str) -> Self {
        self.name(name);
        self.string(text);
        self
    }

    /// Adds a member with a list of texts.
    pub(crate) fn list(mut self, name: &str, texts: &[String]) -> Self {
        self.name(name);
        let mut separator = '[';
        for text in texts {
            self.json.push(core::mem::replace(&mut separator, ','));
            self.string(text);
        }
        self.json.push_str(if texts.is_empty() { "[]" } else { "]" });
        self
    }

    /// Adds a member with a list of objects, each already written.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) fn objects(mut self, name: &str, objects: &[String]) -> Self {
        self.name(name);
        self.json.push_str(&format!("[{}]", objects.join(",")));
        self
    }

    /// Adds a member that is `true` or `false`.
    pub(crate) fn flag(mut self, name: &'static str, flag: bool) -> Self {
        self.name(name);
        self.json.push_str(if flag { "true" } else { "false" });
        self
    }

    fn string(&mut self, text: &str) {
        self.json.push('"');
        for character in text.chars() {
            match character {
                '"' => self.json.push_str("\\\""),
                '\\' => self.json.push_str("\\\\"),
                '\n' => self.json.push_str("\\n"),
                '\r' => self.json.push_str("\\r"),
                '\t' => self.json.push_str("\\t"),
                '\0'..='\u{1f}' => {
                    // Writing into a string cannot fail.
                    let _ = write!(self.json, "\\u{:04x}", u32::from(character));
                }
                _ => self.json.push(character),
            }
        }
        self.json.push('"');
    }

    /// Adds a text member, if there is a text.
    pub(crate) fn optional_text(self, name: &'static str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// Adds a number member, if there is a number.
    pub(crate) fn optional_number(mut self, name: &'static str, number: Option<u64>) -> Self {
        if let Some(number) = number {
            self.name(name);
            self.json.push_str(&number.to_string());
        }
        self
    }

    fn name(&mut self, name: &str) {
        if self.json.len() > 1 {
            self.json.push(',');
        }
        self.string(name);
        self.json.push(':');
    }

    pub(crate) fn finish(mut self) -> String {
        self.json.push('}');
        self.json
    }
}

/// Reads an object that has one text member, as [`ObjectWriter`] writes it.
#[cfg(feature = "tower")]
pub(crate) fn only_text(json: &str, name: &str) -> Option<String> {
    let text = json.strip_prefix("{\"")?.strip_prefix(name)?.strip_prefix("\":\"")?;
    let mut characters = text.strip_suffix("\"}")?.chars();
    let mut read = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        read.push(match character {
            '"' => return None,
            '\\' => match characters.next()? {
                escaped @ ('"' | '\\') => escaped,
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'u' => {
                    let (digits, rest) = characters.as_str().split_at_checked(4)?;
                    characters = rest.chars();
                    char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                }
                _ => return None,
            },
            _ => character,
        });
    }
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::ObjectWriter;
    #[cfg(feature = "tower")]
    use super::only_text;

    #[test]
    fn every_character_is_read_back() {
        let text: String = ('\0'..='\u{ff}').chain(['é', '\u{2028}', '😀']).collect();
        let json = ObjectWriter::new()
            .text("a", &text)
            .optional_text("b", None)
            .optional_number("c", Some(u64::MAX))
            .optional_number("d", None)
            .finish();
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read, serde_json::json!({ "a": text, "c": u64::MAX }));
        assert_eq!(ObjectWriter::new().finish(), "{}");
    }

    #[test]
    #[cfg(feature = "tower")]
    fn the_only_text_is_read_back() {
        let text: String = ('\0'..='\u{ff}').chain(['é', '\u{2028}', '😀']).collect();
        for text in [&text, "", "a\\", "\\\""] {
            let json = ObjectWriter::new().text("detail", text).finish();
            assert_eq!(only_text(&json, "detail").as_deref(), Some(text));
            assert_eq!(only_text(&json, "other"), None);
        }
        let two = ObjectWriter::new().text("detail", "a").text("b", "c").finish();
        for other in [
            &two,
            "",
            "{}",
            r#"{"detail":1}"#,
            r#"{"detail":"}"#,
            r#"{"detail":"a\"}"#,
            r#"{"detail":"\u00é"}"#,
            r#"{"detail":"\b"}"#,
        ] {
            assert_eq!(only_text(other, "detail"), None, "{other}");
        }
    }
}
