//! String functions that `str` does not have as a `const fn` yet.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where a panic is a compile error"
)]

/// Returns `true` if two strings are equal.
pub(crate) const fn eq(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b) {
        if *first_a != *first_b {
            return false;
        }
        (a, b) = (rest_a, rest_b);
    }
    a.is_empty() && b.is_empty()
}

/// Returns `true` if one of the strings is `text`.
pub(crate) const fn contains(strings: &[&str], text: &str) -> bool {
    let mut rest = strings;
    while let [first, tail @ ..] = rest {
        if eq(first, text) {
            return true;
        }
        rest = tail;
    }
    false
}

/// The hash of no bytes (FNV-1a).
pub(crate) const HASH_OF_NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

/// Returns a hash that goes on with the bytes of a string (FNV-1a).
pub(crate) const fn hash(mut hash: u64, text: &str) -> u64 {
    let mut rest = text.as_bytes();
    while let [byte, tail @ ..] = rest {
        hash = (hash ^ *byte as u64).wrapping_mul(0x0100_0000_01b3);
        rest = tail;
    }
    hash
}

/// Returns the number of edits between two names (Levenshtein distance) if one is likely a
/// misspelling of the other: at most one for every three bytes, rounded up.
pub(crate) const fn edits_between_near(a: &str, b: &str) -> Option<usize> {
    /// Names of this length or longer are not compared.
    const MAX: usize = 64;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() >= MAX || b.len() >= MAX {
        return None;
    }
    // The distances from the part of `a` that was read to each prefix of `b`.
    let mut row = [0; MAX];
    let mut column = 0;
    while column <= b.len() {
        row[column] = column;
        column += 1;
    }
    let mut line = 0;
    while line < a.len() {
        let mut diagonal = row[0];
        row[0] = line + 1;
        let mut column = 0;
        while column < b.len() {
            let replaced = if a[line] == b[column] { diagonal } else { diagonal + 1 };
            diagonal = row[column + 1];
            row[column + 1] = min(replaced, min(row[column], diagonal) + 1);
            column += 1;
        }
        line += 1;
    }
    let longer = if a.len() > b.len() { a.len() } else { b.len() };
    let edits = row[b.len()];
    if edits * 3 <= longer + 2 { Some(edits) } else { None }
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// Panics with a message: `fail!("`{}` is not `{}`", name, other)`. Each `{}` of the literal is
/// replaced by the next argument, which is a string.
macro_rules! fail {
    ($template:expr $(, $argument:expr)* $(,)?) => {
        panic!(
            "{}",
            $crate::syntax::const_str::Message::<512>::of($template, &[$($argument),*]).as_str()
        )
    };
}

pub(crate) use fail;

/// A text of limited capacity, built at compile time.
pub(crate) struct Message<const MAX: usize> {
    bytes: [u8; MAX],
    len: usize,
}

impl<const MAX: usize> Message<MAX> {
    const fn new() -> Self {
        Self { bytes: [0; MAX], len: 0 }
    }

    /// Fills a template: each `{}` is replaced by the next argument.
    pub(crate) const fn of(template: &str, arguments: &[&str]) -> Self {
        let mut text = Self::new();
        let (mut rest, mut arguments) = (template, arguments);
        while let [argument, tail @ ..] = arguments
            && let Some((part, after)) = split_at_placeholder(rest)
        {
            text.push(part);
            text.push(argument);
            (rest, arguments) = (after, tail);
        }
        text.push(rest);
        text
    }

    /// Writes a number in decimal.
    pub(crate) const fn of_number(number: usize) -> Self {
        let mut text = Self::new();
        text.push_number(number);
        text
    }

    /// Appends a part, or nothing if the whole part does not fit.
    const fn push(&mut self, part: &str) {
        if part.len() > MAX - self.len {
            return;
        }
        let (_, free) = self.bytes.split_at_mut(self.len);
        let (place, _) = free.split_at_mut(part.len());
        place.copy_from_slice(part.as_bytes());
        self.len += part.len();
    }

    const fn push_number(&mut self, number: usize) {
        if number >= 10 {
            self.push_number(number / 10);
        }
        let digits = b"0123456789";
        let (_, from) = digits.split_at(number % 10);
        if let Ok(digit) = core::str::from_utf8(from.split_at(1).0) {
            self.push(digit);
        }
    }

    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// Splits a template at its first `{}`.
const fn split_at_placeholder(template: &str) -> Option<(&str, &str)> {
    let bytes = template.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        if bytes[at] == b'{' && bytes[at + 1] == b'}' {
            let (part, rest) = template.split_at(at);
            return Some((part, rest.split_at(2).1));
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_differ_by_few_edits() {
        for (a, b) in [
            ("itmes", "items"),
            ("item", "items"),
            ("Items", "items"),
            ("items:read", "items.read"),
            ("", ""),
        ] {
            let edits = edits_between_near(a, b);
            assert!(edits.is_some() && edits == edits_between_near(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("me", "items"),
            ("a", "bcd"),
            ("read", "write"),
            (&*"a".repeat(64), &*"a".repeat(64)),
            (&*"a".repeat(64), &*"a".repeat(63)),
            (&*"a".repeat(64), "a"),
        ] {
            assert_eq!(edits_between_near(a, b), None, "{a} {b}");
            assert_eq!(edits_between_near(b, a), None, "{b} {a}");
        }
    }

    #[test]
    fn nearness_is_as_the_book_defines_it() {
        fn distance(a: &[u8], b: &[u8]) -> usize {
            match (a, b) {
                (rest, []) | ([], rest) => rest.len(),
                ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) => {
                    let replaced = usize::from(first_a != first_b) + distance(rest_a, rest_b);
                    replaced.min(1 + distance(rest_a, b).min(distance(a, rest_b)))
                }
            }
        }
        let mut words = vec![String::new()];
        for word in 0.. {
            if words[word].len() == 5 {
                break;
            }
            for letter in ["a", "b"] {
                words.push(words[word].clone() + letter);
            }
        }
        for a in &words {
            for b in &words {
                let edits = distance(a.as_bytes(), b.as_bytes());
                let by_the_book = (edits * 3 <= a.len().max(b.len()) + 2).then_some(edits);
                assert_eq!(edits_between_near(a, b), by_the_book, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_text_keeps_whole_parts() {
        let mut text = Message::<4>::new();
        text.push("ab");
        text.push("cde");
        text.push("é");
        assert_eq!(text.as_str(), "abé");
    }

    #[test]
    fn a_template_takes_its_arguments_in_order() {
        for (template, arguments, filled) in [
            ("", &[][..], ""),
            ("{}", &["a"], "a"),
            ("`{}` is {}", &["a", "b"], "`a` is b"),
            ("{ é }{}", &["{}"], "{ é }{}"),
            ("{} {}", &["a"], "a {}"),
            ("a", &["b"], "a"),
        ] {
            assert_eq!(Message::<64>::of(template, arguments).as_str(), filled);
        }
        assert_eq!(Message::<20>::of_number(1023).as_str(), "1023");
        assert_eq!(Message::<20>::of_number(0).as_str(), "0");
    }

    #[test]
    fn strings_are_compared_whole() {
        assert!(eq("", "") && eq("a", "a"));
        assert!(!eq("a", "ab") && !eq("ab", "a") && !eq("a", "b"));
    }
}
