//! Cursors: where a walk through a collection stands, as text that a client hands back unread.
//!
//! What this is not: a secret or a proof of access. Whoever walks is checked at every step; the digest only
//! tells a cursor of another collection, tenant or filter, or a damaged one, from a right one.
//! Invariant: [`Cursor::decode`] accepts exactly the texts that [`Cursor::encode`] made for the same scope.
//!
//! Form: base64url, unpadded, of 16 bytes of SHA-256 (over version, scope and position), then the position.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};

/// Goes up when the bytes mean something else, so that older cursors are refused instead of misread.
const VERSION: u8 = 1;

const DIGEST: usize = 16;

const TEXT: u8 = b't';
const INTEGER: u8 = b'i';

/// One component of a position, in the order that the collection is sorted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortKey {
    /// A text, such as an id.
    Text(String),
    /// A whole number, such as a rank or a sort order.
    Integer(i64),
}

/// What a cursor belongs to: it is of no use anywhere else.
#[derive(Clone, Debug)]
pub struct Scope(Sha256);

impl Scope {
    /// The scope of one collection of one tenant under these filters, names and values; their order counts.
    pub fn new(collection: &str, tenant: &str, filters: &[(&str, &str)]) -> Self {
        let mut hash = Sha256::new_with_prefix([VERSION]);
        // Each text behind its length, so that no two lists of texts give the same bytes.
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        };
        add(collection);
        add(tenant);
        for (name, value) in filters {
            add(name);
            add(value);
        }
        hash.update((filters.len() as u64).to_be_bytes());
        Self(hash)
    }

    fn digest(&self, position: &[u8]) -> [u8; DIGEST] {
        let whole: [u8; 32] = self.0.clone().chain_update(position).finalize().into();
        let mut digest = [0; DIGEST];
        digest.copy_from_slice(&whole[..DIGEST]);
        digest
    }
}

/// Writes and reads the text of cursors.
#[derive(Clone, Copy, Debug)]
pub struct Cursor;

impl Cursor {
    /// The text for this position of the walk.
    pub fn encode(scope: &Scope, position: &[SortKey]) -> String {
        let mut bytes = vec![0; DIGEST];
        for part in position {
            match part {
                SortKey::Text(text) => {
                    bytes.push(TEXT);
                    bytes.extend((text.len() as u64).to_be_bytes());
                    bytes.extend(text.as_bytes());
                }
                SortKey::Integer(integer) => {
                    bytes.push(INTEGER);
                    bytes.extend(integer.to_be_bytes());
                }
            }
        }
        let digest = scope.digest(&bytes[DIGEST..]);
        bytes[..DIGEST].copy_from_slice(&digest);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Whether this text could be a cursor of some scope; which one, only [`Cursor::decode`] tells.
    pub fn is_one(text: &str) -> bool {
        URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() >= DIGEST)
    }

    /// The position in this text; `None` for anything that was not made for this very scope.
    pub fn decode(scope: &Scope, text: &str) -> Option<Vec<SortKey>> {
        // The engine refuses padding and stray bits at the end, so every position has one text only.
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (digest, mut rest) = bytes.split_first_chunk::<DIGEST>()?;
        if scope.digest(rest) != *digest {
            return None;
        }
        let mut position = Vec::new();
        while let Some((kind, after)) = rest.split_first() {
            let (number, after) = after.split_first_chunk::<8>()?;
            rest = after;
            position.push(match *kind {
                TEXT => {
                    let length = usize::try_from(u64::from_be_bytes(*number)).ok()?;
                    let (text, after) = rest.split_at_checked(length)?;
                    rest = after;
                    SortKey::Text(std::str::from_utf8(text).ok()?.to_owned())
                }
                INTEGER => SortKey::Integer(i64::from_be_bytes(*number)),
                _ => return None,
            });
        }
        Some(position)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scope() -> Scope {
        Scope::new("pages", "tenant_1", &[("query", "launch")])
    }

    fn any_position() -> impl Strategy<Value = Vec<SortKey>> {
        let part = prop_oneof![".*".prop_map(SortKey::Text), any::<i64>().prop_map(SortKey::Integer)];
        prop::collection::vec(part, 0..5)
    }

    #[test]
    fn is_of_no_use_in_another_scope() {
        let text = Cursor::encode(&scope(), &[SortKey::Integer(2), SortKey::Text("page_1".to_owned())]);
        assert!(Cursor::decode(&scope(), &text).is_some());
        for other in [
            Scope::new("pages/search", "tenant_1", &[("query", "launch")]),
            Scope::new("pages", "tenant_2", &[("query", "launch")]),
            Scope::new("pages", "tenant_1", &[("query", "lunch")]),
            Scope::new("pages", "tenant_1", &[("status", "launch")]),
            Scope::new("pages", "tenant_1", &[("query", "launch"), ("status", "")]),
            Scope::new("pages", "tenant_1", &[]),
            Scope::new("pagestenant_1", "", &[("query", "launch")]),
            Scope::new("pages", "tenant_1", &[("querylaunch", "")]),
        ] {
            assert_eq!(Cursor::decode(&other, &text), None);
        }
    }

    #[test]
    fn has_one_text_only() {
        // 16 + 9 bytes leave stray bits in the last character; "" and the like are too short.
        let text = Cursor::encode(&scope(), &[SortKey::Integer(7)]);
        assert_eq!(Cursor::decode(&scope(), &format!("{text}=")), None);
        assert_eq!(Cursor::decode(&scope(), &format!(" {text}")), None);
        assert_eq!(Cursor::decode(&scope(), ""), None);
        assert_eq!(Cursor::decode(&scope(), "AAAA"), None);
        assert_eq!(Cursor::decode(&scope(), &Cursor::encode(&scope(), &[])), Some(Vec::new()));
    }

    #[test]
    fn a_right_digest_does_not_excuse_a_wrong_position() {
        for position in [
            &b"x00000000"[..],
            b"i123",
            b"t\0\0\0\0\0\0\0\x09abc",
            b"t\xff\xff\xff\xff\xff\xff\xff\xff",
            b"t\0\0\0\0\0\0\0\x01\xff",
        ] {
            let bytes = [&scope().digest(position)[..], position].concat();
            assert_eq!(Cursor::decode(&scope(), &URL_SAFE_NO_PAD.encode(bytes)), None);
        }
    }

    proptest! {
        #[test]
        fn comes_back_as_it_went(position in any_position()) {
            prop_assert!(Cursor::is_one(&Cursor::encode(&scope(), &position)));
            let text = Cursor::encode(&scope(), &position);
            prop_assert_eq!(Cursor::decode(&scope(), &text), Some(position));
        }

        #[test]
        fn random_text_is_refused(bytes in prop::collection::vec(any::<u8>(), 0..80), text in ".*") {
            prop_assert_eq!(Cursor::decode(&scope(), &URL_SAFE_NO_PAD.encode(bytes)), None);
            prop_assert_eq!(Cursor::decode(&scope(), &text), None);
        }

        #[test]
        fn any_change_is_refused(position in any_position(), at in any::<prop::sample::Index>(), other in "[A-Za-z0-9_-]") {
            let text = Cursor::encode(&scope(), &position);
            let at = at.index(text.len());
            prop_assert_eq!(Cursor::decode(&scope(), &text[..at]), None);
            let mut changed = text.clone();
            changed.replace_range(at..=at, &other);
            prop_assert_eq!(Cursor::decode(&scope(), &changed).is_some(), changed == text);
        }
    }

    #[test]
    fn any_other_character_anywhere_is_refused() {
        let text = Cursor::encode(&scope(), &[SortKey::Text("page_1".to_owned()), SortKey::Integer(-1)]);
        for at in 0..text.len() {
            for other in (0..=127_u8).map(char::from).filter(|other| !text[at..].starts_with(*other)) {
                let mut changed = text.clone();
                changed.replace_range(at..=at, other.encode_utf8(&mut [0; 4]));
                assert_eq!(Cursor::decode(&scope(), &changed), None, "{at} {other:?}");
            }
        }
    }
}
