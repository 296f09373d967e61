//! Eight bytes of a body as one number, in which a byte is looked for with a few instructions and no loop.

/// Eight bytes of a body; those beyond its end are zero.
#[derive(Clone, Copy)]
pub(super) struct Word(u64);

impl Word {
    pub(super) const LENGTH: usize = 8;

    /// Takes the first word of the rest of a body; nothing is left after the last one, which may be shorter.
    #[inline]
    pub(super) fn first<'a>(rest: &'a [u8], body: &[u8]) -> (Self, Option<&'a [u8]>) {
        if let Some((word, after)) = rest.split_first_chunk() {
            return (Self(u64::from_le_bytes(*word)), Some(after));
        }
        let word = match body.last_chunk() {
            // The end of the body is read as a whole, and what stands before the rest is shifted out of it.
            Some(word) if !rest.is_empty() => {
                let before = Self::LENGTH.wrapping_sub(rest.len());
                u64::from_le_bytes(*word) >> (before.wrapping_mul(8) % 64)
            }
            _ => rest
                .iter()
                .rev()
                .fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        (Self(word), None)
    }

    /// Where the first byte from `%` to `+` stands, of which `&` ends a value and both others are escapes.
    #[inline]
    pub(super) fn special(self) -> Option<usize> {
        // In seven bits a byte, a sum with what is missing to 0x80 sets the eighth where the byte is that large.
        let low = self.0 & !HIGHEST;
        let from_percent = low.wrapping_add(const { EACH * (0x80 - b'%' as u64) });
        let beyond_plus = low.wrapping_add(const { EACH * (0x80 - b'+' as u64 - 1) });
        first(from_percent & !beyond_plus & !self.0 & HIGHEST)
    }

    /// Counts each `%` of a text.
    pub(super) fn count_percents(text: &[u8]) -> usize {
        let mut rest = Some(text);
        let mut count = 0;
        while let Some(unseen) = rest {
            let (word, after) = Self::first(unseen, text);
            // A sum with 0x7f leaves the highest bit of a byte unset where its other seven are.
            let other = word.0 ^ (EACH * u64::from(b'%'));
            let is_other = (other & !HIGHEST).wrapping_add(!HIGHEST) | other;
            let percents = (!is_other & HIGHEST) >> 7;
            // Its highest byte is the sum of all bytes.
            let percents = percents.wrapping_mul(EACH) >> 56;
            count = usize::wrapping_add(count, percents as usize);
            rest = after;
        }
        count
    }

    /// Where the first `&` stands.
    #[inline]
    pub(super) fn ampersand(self) -> Option<usize> {
        // Of the zeros, the first is right; what stands behind it may not be one.
        let zero_there = self.0 ^ (EACH * u64::from(b'&'));
        first(zero_there.wrapping_sub(EACH) & !zero_there & HIGHEST)
    }
}

/// One in each byte, and the highest bit of each.
const EACH: u64 = u64::from_le_bytes([1; 8]);
const HIGHEST: u64 = u64::from_le_bytes([0x80; 8]);

/// The first byte whose highest bit is set.
#[inline]
fn first(bits: u64) -> Option<usize> {
    (bits != 0).then(|| bits.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every byte in every place, beside bytes that differ from what is looked for in one bit.
    fn words() -> impl Iterator<Item = [u8; 8]> {
        (0..=u8::MAX).flat_map(|byte| {
            [b'a', b'$', b',', 0xa6, 0xff, 0]
                .into_iter()
                .flat_map(move |other| {
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
            assert_eq!(
                word.special(),
                position(|byte| (b'%'..=b'+').contains(&byte)),
                "{bytes:?}"
            );
            assert_eq!(word.ampersand(), position(|byte| byte == b'&'), "{bytes:?}");
        }
    }

    #[test]
    fn each_percent_is_counted_whatever_the_length() {
        for length in 0..30_usize {
            for every in 1..5 {
                let text: Vec<u8> = (0..length)
                    .map(|at| if at % every == 0 { b'%' } else { b'$' })
                    .collect();
                assert_eq!(Word::count_percents(&text), length.div_ceil(every));
            }
        }
    }
}
