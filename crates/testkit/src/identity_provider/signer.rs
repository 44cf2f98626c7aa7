//! The private keys of the test's provider, one of each kind. They are in the repository and protect nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::{Value, json};

/// A key of RSA with 2,048 bits, since none is made here.
const RSA: &[u8] = include_bytes!("rsa.pk8");
/// A private key of P-256 is a number; its public key follows from it.
const P256: [u8; 32] = [3; 32];
/// Its public key, an uncompressed point.
const P256_POINT: [u8; 65] = [
    0x04, 0x59, 0x1a, 0xb7, 0x71, 0xeb, 0xbc, 0xfd, 0x6d, 0x9c, 0xb9, 0x09, 0x4d, 0x10, 0x65, 0x28, 0xad,
    0xd1, 0xa6, 0x9d, 0x44, 0xc2, 0xc1, 0xf6, 0x27, 0xf0, 0x89, 0xec, 0x58, 0xb9, 0xc6, 0x1a, 0xdf, 0x9f,
    0x4e, 0x6a, 0xbf, 0x0d, 0x04, 0x5c, 0x0c, 0x69, 0x3a, 0x3c, 0x68, 0xad, 0x7c, 0x97, 0xca, 0x72, 0xbe,
    0x64, 0xde, 0xf4, 0xa2, 0x6f, 0xec, 0xd2, 0x63, 0xdd, 0x98, 0xa9, 0x27, 0x80, 0xf0,
];

/// A kind of key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// RSA, for RS256.
    Rsa,
    /// P-256, for ES256.
    P256,
    /// Ed25519, for EdDSA.
    Ed25519,
}

impl Kind {
    /// The algorithm that it signs with.
    pub(super) fn algorithm(self) -> &'static str {
        match self {
            Kind::Rsa => "RS256",
            Kind::P256 => "ES256",
            Kind::Ed25519 => "EdDSA",
        }
    }
}

/// A private key.
pub(super) enum Signer {
    Rsa(RsaKeyPair),
    P256(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

/// A key that nobody publishes.
pub(super) fn other() -> Signer {
    Signer::Ed25519(Ed25519KeyPair::from_seed_unchecked(&[9; 32]).unwrap())
}

impl Signer {
    pub(super) fn of(kind: Kind) -> Signer {
        match kind {
            Kind::Rsa => Signer::Rsa(RsaKeyPair::from_pkcs8(RSA).unwrap()),
            Kind::P256 => Signer::P256(p256()),
            Kind::Ed25519 => Signer::Ed25519(Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()),
        }
    }

    pub(super) fn sign(&self, text: &[u8]) -> Vec<u8> {
        let random = SystemRandom::new();
        match self {
            Signer::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, text, &mut signature).unwrap();
                signature
            }
            Signer::P256(pair) => pair.sign(&random, text).unwrap().as_ref().to_vec(),
            Signer::Ed25519(pair) => pair.sign(text).as_ref().to_vec(),
        }
    }

    /// The public key, under this name.
    pub(super) fn public(&self, id: &str) -> Value {
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        match self {
            Signer::Rsa(pair) => {
                let public: ring::signature::RsaPublicKeyComponents<Vec<u8>> = pair.public().into();
                json!({ "kty": "RSA", "use": "sig", "kid": id, "n": text(&public.n), "e": text(&public.e) })
            }
            Signer::P256(pair) => {
                let point = pair.public_key().as_ref();
                json!({ "kty": "EC", "crv": "P-256", "kid": id, "x": text(&point[1..33]), "y": text(&point[33..]) })
            }
            Signer::Ed25519(pair) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "kid": id, "x": text(pair.public_key().as_ref()) })
            }
        }
    }
}

/// The key pair of [`P256`]; a private key is read only together with its public one.
fn p256() -> EcdsaKeyPair {
    let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
    EcdsaKeyPair::from_private_key_and_public_key(algorithm, &P256, &P256_POINT, &SystemRandom::new())
        .unwrap()
}
