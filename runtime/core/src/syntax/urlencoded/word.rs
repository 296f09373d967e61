//! Searches eight bytes of a body as one number, with a few instructions and no loop.

/// Eight bytes of a body. Bytes past its end are zero.
#[derive(Clone, Copy)]
pub(crate) struct Word(u64);

impl Word {
    pub(crate) const LENGTH: usize = 8;

    /// Splits the first word off `rest`, the unread end of `body`. The last word may be shorter,
    /// and nothing is left after it.
    #[inline]
    pub(crate) fn first<'a>(rest: &'a [u8], body: &[u8]) -> (Self, Option<&'a [u8]>) {
        if let Some((word, after)) = rest.split_first_chunk() {
            return (Self(u64::from_le_bytes(*word)), Some(after));
        }
        let word = match body.last_chunk() {
            // Read the last eight bytes of the body, and shift out those before `rest`.
            Some(word) if !rest.is_empty() => {
                let before = Self::LENGTH.wrapping_sub(rest.len());
                u64::from_le_bytes(*word) >> (before.wrapping_mul(8) % 64)
            }
            _ => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        (Self(word), None)
    }

    /// Returns the position of the first byte from `%` to `+`. In this range, `&` ends a value, and
    /// `%` and `+` are escapes.
    #[inline]
    pub(crate) fn special(self) -> Option<usize> {
        // In each byte, adding `0x80 - n` to the low seven bits sets the highest bit if they are at
        // least `n`.
        let low = self.0 & !HIGHEST;
        let from_percent = low.wrapping_add(const { EACH * (0x80 - b'%' as u64) });
        let beyond_plus = low.wrapping_add(const { EACH * (0x80 - b'+' as u64 - 1) });
        first(from_percent & !beyond_plus & !self.0 & HIGHEST)
    }

    /// Returns the number of `%` bytes in a text.
    pub(crate) fn count_percents(text: &[u8]) -> usize {
        let mut rest = Some(text);
        let mut count = 0;
        while let Some(unseen) = rest {
            let (word, after) = Self::first(unseen, text);
            // In each byte, adding 0x7f to the low seven bits sets the highest bit unless they are
            // all zero.
            let other = word.0 ^ (EACH * u64::from(b'%'));
            let is_other = (other & !HIGHEST).wrapping_add(!HIGHEST) | other;
            let percents = (!is_other & HIGHEST) >> 7;
            // The highest byte of the product is the sum of all bytes.
            let percents = percents.wrapping_mul(EACH) >> 56;
            count = usize::wrapping_add(count, percents as usize);
            rest = after;
        }
        count
    }

    /// Returns the position of the first `&`.
    #[inline]
    pub(crate) fn ampersand(self) -> Option<usize> {
        // The first zero byte is found correctly; bytes after it may match by mistake.
        let zero_there = self.0 ^ (EACH * u64::from(b'&'));
        first(zero_there.wrapping_sub(EACH) & !zero_there & HIGHEST)
    }
}

/// The lowest bit of each byte.
const EACH: u64 = u64::from_le_bytes([1; 8]);
/// The highest bit of each byte.
const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);

/// Returns the index of the first byte whose highest bit is set.
#[inline]
fn first(bits: u64) -> Option<usize> {
    (bits != 0).then(|| bits.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every byte at every position, among bytes that do not match, some only just.
    fn words() -> impl Iterator<Item = [u8; 8]> {
        (0..=u8::MAX).flat_map(|byte| {
            [b'a', b'$', b',', 0xa6, 0xff, 0].into_iter().flat_map(move |other| {
                (0..8).map(move |at| {
                    let mut word = [other; 8];
                    word[at] = byte;
                    word
                })
            })
        })
    }

    #[test]
    fn the_first_is_found() {
        for bytes in words() {
            let (word, _) = Word::first(&bytes, &bytes);
            let position = |is: fn(u8) -> bool| bytes.iter().position(|byte| is(*byte));
            assert_eq!(word.special(), position(|byte| (b'%'..=b'+').contains(&byte)), "{bytes:?}");
            assert_eq!(word.ampersand(), position(|byte| byte == b'&'), "{bytes:?}");
        }
    }

    #[test]
    fn each_percent_is_counted_whatever_the_length() {
        for length in 0..30_usize {
            for every in 1..5 {
                let text: Vec<u8> =
                    (0..length).map(|at| if at % every == 0 { b'%' } else { b'$' }).collect();
                assert_eq!(Word::count_percents(&text), length.div_ceil(every));
            }
        }
    }
}
