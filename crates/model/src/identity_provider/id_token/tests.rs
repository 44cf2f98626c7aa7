//! Tokens that count, and every way in which one does not.

use proptest::prelude::*;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::json;

use super::*;

const NOW: i64 = 1_772_366_400;

fn pair() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
}

fn keys() -> KeySet {
    let x = URL_SAFE_NO_PAD.encode(pair().public_key().as_ref());
    let keys = json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "kid": "1", "x": x }] });
    KeySet::read(keys.to_string().as_bytes()).unwrap()
}

fn good() -> Value {
    json!({
        "iss": "https://id.example", "aud": "pagesmith", "sub": "jane", "nonce": "n-1",
        "iat": NOW - 5, "exp": NOW + 300,
    })
}

fn token(head: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(head), part(claims));
    let signature = URL_SAFE_NO_PAD.encode(pair().sign(signed.as_bytes()).as_ref());
    format!("{signed}.{signature}")
}

fn check(token: &str) -> Result<Claims, Refusal> {
    let expected = Expected {
        issuer: "https://id.example",
        client_id: "pagesmith",
        nonce: "n-1",
        now: Timestamp::from_micros(NOW * 1_000_000),
    };
    verify(token, &keys(), &expected)
}

fn with(changes: &Value) -> Result<Claims, Refusal> {
    let mut claims = good();
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    check(&token(&json!({ "alg": "EdDSA", "kid": "1" }), &claims))
}

#[test]
fn a_good_token_counts() {
    for changes in [
        json!({}),
        json!({ "aud": ["pagesmith"] }),
        json!({ "aud": ["other", "pagesmith"], "azp": "pagesmith" }),
        json!({ "azp": "pagesmith" }),
        json!({ "exp": NOW - 59 }),
        json!({ "iat": NOW + 60 }),
        json!({ "exp": NOW as f64 + 0.5 }),
        json!({ "nbf": NOW }),
    ] {
        assert_eq!(
            with(&changes).map(|claims| claims.subject().map(str::to_owned)),
            Ok(Some("jane".to_owned())),
            "{changes}"
        );
    }
}

#[test]
fn a_token_of_others_for_others_or_of_another_time_is_refused() {
    for (changes, refusal) in [
        (json!({ "iss": "https://id.example/" }), Refusal::Issuer),
        (json!({ "iss": null }), Refusal::Issuer),
        (json!({ "aud": "other" }), Refusal::Audience),
        (json!({ "aud": [] }), Refusal::Audience),
        (json!({ "aud": ["other", "pagesmith"] }), Refusal::Audience),
        (json!({ "aud": ["other", "pagesmith"], "azp": "other" }), Refusal::Audience),
        (json!({ "azp": "other" }), Refusal::Audience),
        (json!({ "azp": null }), Refusal::Audience),
        (json!({ "exp": NOW - 60 }), Refusal::Expired),
        (json!({ "exp": i64::MIN }), Refusal::Expired),
        (json!({ "exp": "soon" }), Refusal::Form),
        (json!({ "exp": null }), Refusal::Form),
        (json!({ "iat": null }), Refusal::Form),
        (json!({ "iat": NOW + 61 }), Refusal::NotYet),
        (json!({ "nbf": NOW + 61 }), Refusal::NotYet),
        (json!({ "nonce": "n-2" }), Refusal::Nonce),
        (json!({ "nonce": null }), Refusal::Nonce),
        (json!({ "nonce": "" }), Refusal::Nonce),
        (json!({ "sub": "" }), Refusal::Subject),
        (json!({ "sub": "x".repeat(256) }), Refusal::Subject),
        (json!({ "sub": 5 }), Refusal::Subject),
    ] {
        assert_eq!(with(&changes), Err(refusal), "{changes}");
    }
}

#[test]
fn a_token_that_is_not_signed_by_the_provider_is_refused() {
    let head = |head: Value| check(&token(&head, &good()));
    for name in ["none", "None", "HS256", "RS512", ""] {
        assert_eq!(head(json!({ "alg": name, "kid": "1" })), Err(Refusal::Algorithm), "{name}");
    }
    assert_eq!(head(json!({ "alg": "EdDSA", "kid": "2" })), Err(Refusal::UnknownKey));
    assert_eq!(head(json!({ "alg": "RS256", "kid": "1" })), Err(Refusal::UnknownKey));
    assert_eq!(head(json!({ "alg": "EdDSA", "crit": ["x"] })), Err(Refusal::Form));
    let good = token(&json!({ "alg": "EdDSA", "kid": "1" }), &good());
    let (signed, _) = good.rsplit_once('.').unwrap();
    assert_eq!(check(&format!("{signed}.")), Err(Refusal::Signature));
    assert_eq!(check(signed), Err(Refusal::Form));
    assert_eq!(check(&format!("{good}.x")), Err(Refusal::Form));
    let other = URL_SAFE_NO_PAD.encode(json!({ "sub": "root" }).to_string());
    let parts: Vec<&str> = good.split('.').collect();
    assert_eq!(check(&format!("{}.{other}.{}", parts[0], parts[2])), Err(Refusal::Signature));
}

proptest! {
    #[test]
    fn no_text_ends_the_program(text in "[a-zA-Z0-9._-]{0,200}") {
        prop_assert!(check(&text).is_err());
    }

    /// Whatever character of a token is another one, the token counts no more; or the change means the same bytes.
    #[test]
    fn no_changed_token_counts(at in any::<prop::sample::Index>(), by in "[A-Za-z0-9_-]") {
        let good = token(&json!({ "alg": "EdDSA", "kid": "1" }), &good());
        let at = at.index(good.len());
        let changed = format!("{}{by}{}", &good[..at], &good[at + 1..]);
        prop_assume!(changed != good);
        let is_refused = check(&changed).is_err();
        prop_assert!(is_refused);
    }
}
