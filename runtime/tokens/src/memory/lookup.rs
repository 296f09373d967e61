//! A token as it is looked up: by the end of its text, which is a part of its signature.
//!
//! A caller cannot choose the signature of a token that an issuer has signed, so the hashes of such
//! ends are spread. The exception is a signature by EdDSA: a key of small order, which no set takes,
//! would verify one signature of many payloads. The whole text of such a token is hashed, and so is
//! that of an opaque token, which has no signature.

use core::hash::{Hash, Hasher};

use quick_cache::Equivalent;
use secrecy::zeroize::Zeroizing;

/// The length of the end that is hashed, in bytes.
const END: usize = 32;

/// The text of a token, which is wiped when it is dropped.
#[derive(PartialEq, Eq)]
pub(crate) struct Key {
    token: Zeroizing<Box<[u8]>>,
    is_whole: bool,
}

/// The text of a token that may be there.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'t> {
    token: &'t [u8],
    is_whole: bool,
}

impl Key {
    /// Creates the key of a token that was verified. If `is_whole`, its whole text is hashed.
    pub(crate) fn new(token: &[u8], is_whole: bool) -> Self {
        Self { token: Zeroizing::new(token.into()), is_whole }
    }

    pub(crate) fn token(&self) -> &[u8] {
        &self.token
    }

    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    fn as_lookup(&self) -> Lookup<'_> {
        Lookup { token: &self.token, is_whole: self.is_whole }
    }
}

impl<'t> Lookup<'t> {
    pub(super) const fn by_signature(token: &'t [u8]) -> Self {
        Self { token, is_whole: false }
    }

    pub(crate) const fn whole(token: &'t [u8]) -> Self {
        Self { token, is_whole: true }
    }
}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_lookup().hash(state);
    }
}

impl Hash for Lookup<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let start = if self.is_whole { 0 } else { self.token.len().saturating_sub(END) };
        state.write(self.token.get(start..).unwrap_or_default());
    }
}

impl Equivalent<Key> for Lookup<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        self.is_whole == key.is_whole && *self.token == **key.token
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::hash::{BuildHasher, RandomState};

    use super::*;

    #[test]
    fn tokens_with_one_tail_have_hashes_of_their_own() {
        let state = RandomState::new();
        let tokens = (0..10_000).map(|number| format!("{number}.{}", "t".repeat(END)));
        let hashes = tokens.map(|token| {
            let key = Key::new(token.as_bytes(), true);
            assert_eq!(state.hash_one(&key), state.hash_one(Lookup::whole(token.as_bytes())));
            state.hash_one(key)
        });
        assert_eq!(hashes.collect::<HashSet<_>>().len(), 10_000);
    }

    /// The text is read where it was, because nothing safe points there any longer.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_text_of_a_token_is_wiped() {
        use std::os::unix::fs::FileExt as _;

        let token = Vec::from_iter((0..1000_u32).flat_map(u32::to_be_bytes));
        let (mut before, mut after) = (vec![0; token.len()], vec![0; token.len()]);
        let memory = std::fs::File::open("/proc/self/mem").unwrap();
        let key = Key::new(&token, true);
        let address = key.token().as_ptr().addr().try_into().unwrap();
        memory.read_exact_at(&mut before, address).unwrap();
        drop(key);
        memory.read_exact_at(&mut after, address).unwrap();
        assert_eq!(before, token);
        let is_there = |part: &[u8]| token.windows(part.len()).any(|secret| secret == part);
        assert!(!after.chunks_exact(40).any(is_there), "{after:?}");
    }

    #[test]
    fn a_token_is_found_by_its_signature_or_by_its_whole_text() {
        let token = b"header.payload.signature";
        for is_whole in [false, true] {
            let key = Key::new(token, is_whole);
            assert_eq!(Lookup::by_signature(token).equivalent(&key), !is_whole);
            assert_eq!(Lookup::whole(token).equivalent(&key), is_whole);
            assert!(!Lookup::by_signature(&token[1..]).equivalent(&key));
        }
    }
}
