//! No backend: nothing is ready, verified or signed.

use crate::jwt::algorithm::Algorithm;
use crate::jwt::public_key::PublicKey;

/// A key that there cannot be.
pub(crate) enum NoKey {}

pub(crate) use {NoKey as PrivateKey, NoKey as ReadyKey};

/// A shared secret that there cannot be.
pub(crate) enum Secret {}

impl NoKey {
    pub(crate) const fn new(_: &PublicKey, _: &[Algorithm]) -> Option<Self> {
        None
    }

    pub(crate) const fn read(_: &[u8]) -> Option<Self> {
        None
    }

    pub(crate) const fn public(&self) -> Option<PublicKey> {
        match *self {}
    }

    pub(crate) const fn verifies(&self, _: Algorithm, _: &[u8], _: &[u8]) -> bool {
        match *self {}
    }

    pub(crate) const fn sign(&self, _: Algorithm, _: &[u8]) -> Option<Vec<u8>> {
        match *self {}
    }
}

impl Secret {
    pub(crate) const fn new(_: &[u8]) -> Option<Self> {
        None
    }

    pub(crate) const fn code(&self, _: Algorithm, _: &[u8]) -> Option<Vec<u8>> {
        match *self {}
    }
}

pub(crate) const fn sha256(_: &[u8]) -> Vec<u8> {
    Vec::new()
}
