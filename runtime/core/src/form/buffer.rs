//! A buffer for a body that is still arriving.

use secrecy::zeroize::{Zeroize, Zeroizing};

use crate::form::error::FormError;

/// A buffer of bounded size. It is wiped when it grows and when it is dropped, because it may
/// contain a password.
///
/// The parts of a body are copied, because each part keeps all the memory that was read with it. A
/// body sent byte by byte would keep a thousand times its size.
pub(crate) struct Buffer {
    bytes: Zeroizing<Vec<u8>>,
    max_bytes: usize,
}

/// The size of the first allocation if the length of the body is not announced.
const FIRST: usize = 256;

impl Buffer {
    /// Creates a buffer for at most `max_bytes` bytes, with room for the announced ones.
    pub(crate) fn new(announced: usize, max_bytes: usize) -> Self {
        Self { bytes: Zeroizing::new(Vec::with_capacity(announced.min(max_bytes))), max_bytes }
    }

    /// Appends a part of the body.
    ///
    /// # Errors
    ///
    /// Returns [`FormError::body_too_large`] if the buffer would exceed its limit.
    pub(crate) fn push(&mut self, part: &[u8]) -> Result<(), FormError> {
        let length = self.bytes.len().saturating_add(part.len());
        if length > self.max_bytes {
            return Err(FormError::body_too_large());
        }
        if length > self.bytes.capacity() {
            self.grow(length);
        }
        self.bytes.extend_from_slice(part);
        Ok(())
    }

    fn grow(&mut self, length: usize) {
        let doubled = self.bytes.capacity().saturating_mul(2).max(FIRST);
        let capacity = doubled.min(self.max_bytes).max(length);
        let mut larger = Vec::with_capacity(capacity);
        larger.extend_from_slice(&self.bytes);
        let mut smaller = core::mem::replace(&mut *self.bytes, larger);
        smaller.zeroize();
    }

    pub(crate) fn into_bytes(self) -> Zeroizing<Vec<u8>> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_together_up_to_the_limit() {
        for announced in [0, 3, 1000, usize::MAX] {
            let mut buffer = Buffer::new(announced, 1000);
            for number in 0..1000_usize {
                buffer.push(&[number.to_le_bytes()[0]]).unwrap();
                assert!(buffer.bytes.capacity() <= 1000.max(FIRST));
            }
            assert!(buffer.push(b"").is_ok());
            assert_eq!(buffer.push(b"x"), Err(FormError::body_too_large()));
            let bytes = buffer.into_bytes();
            assert!(
                bytes.iter().enumerate().all(|(number, byte)| number.to_le_bytes()[0] == *byte)
            );
            assert_eq!(bytes.len(), 1000);
        }
    }
}
