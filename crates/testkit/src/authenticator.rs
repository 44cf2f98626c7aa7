//! An authenticator app, as users have it on their phones.

use pagesmith_model::Timestamp;
use pagesmith_model::user::totp;

/// What an app shows whose secret was typed in.
pub fn code(secret: &str, now: Timestamp) -> String {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0);
    for char in secret.chars() {
        bits = (bits << 5) | u32::try_from(ALPHABET.find(char).unwrap()).unwrap();
        held += 5;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from((bits >> held) & 0xff).unwrap());
        }
    }
    totp::code(&bytes, totp::step_at(now))
}
