//! No backend: nothing is ready, verified or signed.

use crate::jwt::algorithm::Algorithm;
use crate::jwt::public_key::PublicKey;

/// A key that there cannot be.
pub(in crate::jwt) enum NoKey {}

pub(in crate::jwt) use NoKey as PrivateKey;
pub(in crate::jwt) use NoKey as ReadyKey;
pub(in crate::jwt) use NoKey as Secret;

impl NoKey {
    pub(in crate::jwt) const fn new<K: ?Sized>(_: &K) -> Option<Self> {
        None
    }

    pub(in crate::jwt) const fn read(_: &[u8]) -> Option<Self> {
        None
    }

    pub(in crate::jwt) const fn public(&self) -> Option<PublicKey> {
        match *self {}
    }

    pub(in crate::jwt) const fn verifies(&self, _: Algorithm, _: &[u8], _: &[u8]) -> bool {
        match *self {}
    }

    pub(in crate::jwt) const fn code(&self, _: Algorithm, _: &[u8]) -> Option<Vec<u8>> {
        match *self {}
    }

    pub(in crate::jwt) const fn sign(&self, _: Algorithm, _: &[u8]) -> Option<Vec<u8>> {
        match *self {}
    }
}

pub(in crate::jwt) const fn sha256(_: &[u8]) -> Vec<u8> {
    Vec::new()
}
