//! A provider's public keys (RFC 7517), and whether one of them has signed something.
//!
//! Of all algorithms three are taken: RS256, ES256 and EdDSA with Ed25519. A key is used only with the algorithm of its own kind, so that
//! nobody signs with a public key as if it were a shared secret. Keys of other kinds are passed over.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use serde_json::Value;

/// More keys of a provider are not looked at.
const MOST_KEYS: usize = 100;

/// How something is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// RSA with SHA-256, keys of at least 2,048 bits.
    Rs256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// Ed25519.
    EdDsa,
}

impl Algorithm {
    /// The algorithm of this name; nothing if it is not taken.
    pub fn parse(text: &str) -> Option<Algorithm> {
        match text {
            "RS256" => Some(Algorithm::Rs256),
            "ES256" => Some(Algorithm::Es256),
            "EdDSA" | "Ed25519" => Some(Algorithm::EdDsa),
            _ => None,
        }
    }
}

/// A public key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    id: Option<String>,
    material: Material,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Material {
    Rsa {
        n: Vec<u8>,
        e: Vec<u8>,
    },
    /// The uncompressed point.
    P256(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// The public keys of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeySet(Vec<Key>);

/// What comes of looking at a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signed {
    /// It was signed by one of the keys.
    Right,
    /// It was not.
    Wrong,
    /// There is no key of that name and kind.
    UnknownKey,
}

impl KeySet {
    /// Reads a set of keys; nothing if it is none. A key that cannot be used is left out.
    pub fn read(document: &[u8]) -> Option<KeySet> {
        let document: Value = serde_json::from_slice(document).ok()?;
        let keys = document["keys"].as_array()?;
        Some(KeySet(keys.iter().take(MOST_KEYS).filter_map(Key::read).collect()))
    }

    /// Whether one of the keys has signed `text` in this way: the one of that name, or any if no name is given.
    pub fn check(&self, algorithm: Algorithm, id: Option<&str>, text: &[u8], signature: &[u8]) -> Signed {
        let is_meant = |key: &&Key| {
            let is_named = id.is_none() || key.id.is_none() || key.id.as_deref() == id;
            is_named && key.material.algorithm() == algorithm
        };
        let mut meant = self.0.iter().filter(is_meant).peekable();
        if meant.peek().is_none() {
            return Signed::UnknownKey;
        }
        if meant.any(|key| key.material.has_signed(text, signature)) { Signed::Right } else { Signed::Wrong }
    }
}

impl Key {
    fn read(key: &Value) -> Option<Key> {
        if key["use"].as_str().is_some_and(|purpose| purpose != "sig") {
            return None;
        }
        let bytes = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str()?).ok();
        let material = match (key["kty"].as_str()?, key["crv"].as_str()) {
            ("RSA", _) => Material::Rsa { n: number(bytes("n")?), e: number(bytes("e")?) },
            ("EC", Some("P-256")) => {
                let (x, y) = (bytes("x")?, bytes("y")?);
                Material::P256([&[4], x.as_slice(), y.as_slice()].concat())
            }
            ("OKP", Some("Ed25519")) => Material::Ed25519(bytes("x")?),
            _ => return None,
        };
        let is_own = |name: &str| Algorithm::parse(name) == Some(material.algorithm());
        if key["alg"].as_str().is_some_and(|name| !is_own(name)) {
            return None;
        }
        Some(Key { id: key["kid"].as_str().map(str::to_owned), material })
    }
}

/// A number without the zeros that some providers write in front.
fn number(bytes: Vec<u8>) -> Vec<u8> {
    bytes.into_iter().skip_while(|byte| *byte == 0).collect()
}

impl Material {
    fn algorithm(&self) -> Algorithm {
        match self {
            Material::Rsa { .. } => Algorithm::Rs256,
            Material::P256(_) => Algorithm::Es256,
            Material::Ed25519(_) => Algorithm::EdDsa,
        }
    }

    fn has_signed(&self, text: &[u8], signature: &[u8]) -> bool {
        let checked = match self {
            Material::Rsa { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, text, signature)
            }
            Material::P256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(text, signature)
            }
            Material::Ed25519(key) => UnparsedPublicKey::new(&ED25519, key).verify(text, signature),
        };
        checked.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{Ed25519KeyPair, KeyPair};
    use serde_json::json;

    use super::*;

    fn pair() -> Ed25519KeyPair {
        Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
    }

    fn key(changes: &Value) -> Value {
        let x = URL_SAFE_NO_PAD.encode(pair().public_key().as_ref());
        let mut key = json!({ "kty": "OKP", "crv": "Ed25519", "kid": "1", "x": x });
        for (name, value) in changes.as_object().unwrap() {
            key[name] = value.clone();
        }
        key
    }

    fn set(keys: &[Value]) -> KeySet {
        KeySet::read(json!({ "keys": keys }).to_string().as_bytes()).unwrap()
    }

    #[test]
    fn a_signature_is_right_by_the_key_of_its_name_and_kind() {
        let signature = pair().sign(b"text");
        let check = |keys: &[Value], algorithm, id, text: &[u8]| {
            set(keys).check(algorithm, id, text, signature.as_ref())
        };
        let known = [key(&json!({}))];
        assert_eq!(check(&known, Algorithm::EdDsa, Some("1"), b"text"), Signed::Right);
        assert_eq!(check(&known, Algorithm::EdDsa, None, b"text"), Signed::Right);
        assert_eq!(check(&known, Algorithm::EdDsa, Some("1"), b"other"), Signed::Wrong);
        assert_eq!(check(&known, Algorithm::EdDsa, Some("2"), b"text"), Signed::UnknownKey);
        assert_eq!(check(&known, Algorithm::Rs256, Some("1"), b"text"), Signed::UnknownKey);
        for useless in [
            json!({ "use": "enc" }),
            json!({ "alg": "HS256" }),
            json!({ "alg": "RS256" }),
            json!({ "kty": "oct", "k": "AAAA" }),
            json!({ "crv": "X25519" }),
            json!({ "x": "not base64!" }),
        ] {
            assert_eq!(
                check(&[key(&useless)], Algorithm::EdDsa, Some("1"), b"text"),
                Signed::UnknownKey,
                "{useless}"
            );
        }
        let other = key(&json!({ "kid": "1", "x": URL_SAFE_NO_PAD.encode([1; 32]) }));
        assert_eq!(check(&[other, key(&json!({}))], Algorithm::EdDsa, Some("1"), b"text"), Signed::Right);
    }

    #[test]
    fn what_is_no_set_of_keys_is_none() {
        for text in ["", "[]", "{}", r#"{"keys": {}}"#, "null"] {
            assert_eq!(KeySet::read(text.as_bytes()), None, "{text}");
        }
        assert_eq!(KeySet::read(br#"{"keys": [1, null, {"kty": "RSA"}]}"#), Some(KeySet::default()));
        for name in ["none", "HS256", "RS1", "rs256", ""] {
            assert_eq!(Algorithm::parse(name), None);
        }
    }
}
