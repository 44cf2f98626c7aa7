//! Bytes as hexadecimal digits.

/// The digits of `bytes`, two for each, in lower case.
pub fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |at: u8| char::from(DIGITS[usize::from(at)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

#[cfg(test)]
mod tests {
    use super::hexadecimal;

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hexadecimal(&[0, 9, 0x0a, 0xf0, 0xff]), "00090af0ff");
        assert_eq!(hexadecimal(&[]), "");
    }
}
