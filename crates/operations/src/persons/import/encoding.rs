//! The encoding of a CSV file: UTF-8, or one of those in which spreadsheets still save.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_8859_2, UTF_8, WINDOWS_1250};

/// The encoding of a text with these bytes; nothing as long as they are ASCII, which is the same in all of them.
///
/// A region is a hint: the same bytes are other letters in Poland than in France.
pub(super) fn of(bytes: &[u8], region: Option<&str>) -> Option<&'static Encoding> {
    let whole = without_a_part(bytes);
    if whole.is_ascii() {
        return None;
    }
    if is_mostly_utf8(whole) {
        return Some(UTF_8);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(whole, false);
    let country = region.map(str::to_ascii_lowercase);
    let country = country.filter(|country| country.bytes().all(|byte| byte.is_ascii_lowercase()));
    let guessed = detector.guess(country.as_deref().map(str::as_bytes), Utf8Detection::Deny);
    if guessed == ISO_8859_2 && !has_signs_among_letters(whole) {
        return Some(WINDOWS_1250);
    }
    Some(guessed)
}

/// Whether bytes that are letters in ISO 8859-2 are signs in Windows-1250. If none is, both are possible, and spreadsheets save the latter.
fn has_signs_among_letters(bytes: &[u8]) -> bool {
    WINDOWS_1250.decode_without_bom_handling(bytes).0.contains(['ˇ', '¦', '©', '¬', '®', '±', 'µ', '¶'])
}

/// A text in that encoding, if it is one.
pub(super) fn decoded<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Option<Cow<'a, str>> {
    encoding.decode_without_bom_handling_and_without_replacement(bytes)
}

/// The bytes without the part of a character at their end: the rest of it may follow.
fn without_a_part(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

/// Whether more characters beyond ASCII are in UTF-8 than not. A cell or two may be damaged; and a few letters of another encoding look like
/// UTF-8 by chance.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|char| !char.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good > bad
}

#[cfg(test)]
mod tests {
    use encoding_rs::{GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253, WINDOWS_1254};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn files_that_spreadsheets_save_come_back_as_they_were_written() {
        for (text, encoding, region) in [
            ("Name;E-Mail\nJörg Müller;joerg@example.de\nGroße Öfen;info@example.de\n", WINDOWS_1252, None),
            ("Nom;E-mail\nZoé Lefèvre;zoe@example.fr\nÉric Garçon;eric@example.fr\n", WINDOWS_1252, None),
            ("Nombre,Correo\nBegoña Muñoz,bego@example.es\n", WINDOWS_1252, Some("ES")),
            ("Name,Note\nJane,“Call her” – it’s €5\n", WINDOWS_1252, None),
            (
                "Imię;E-mail\nŁukasz Żółć;lukasz@example.pl\nGrażyna Wąs;g@example.pl\n",
                WINDOWS_1250,
                Some("PL"),
            ),
            ("Imię;Miasto\nŁukasz Ślązak;Gdańsk\nŹdzisław Wąs;Łódź\n", ISO_8859_2, Some("PL")),
            (
                "Jméno;E-mail\nJiří Dvořák;jiri@example.cz\nŠtěpán Říha;s@example.cz\n",
                WINDOWS_1250,
                Some("CZ"),
            ),
            ("Имя;Почта\nЮлия Щукина;julia@example.ru\n", WINDOWS_1251, None),
            ("Όνομα;Email\nΓιώργος Παπαδόπουλος;g@example.gr\n", WINDOWS_1253, None),
            ("Ad;E-posta\nIşıl Çağlar Yıldız;isil@example.com.tr\n", WINDOWS_1254, Some("TR")),
            ("名前,メール\n山田 太郎,taro@example.jp\n佐藤 花子,hanako@example.jp\n", SHIFT_JIS, None),
            ("姓名,邮箱\n王小明,wang@example.cn\n李丽华,li@example.cn\n", GBK, Some("CN")),
        ] {
            let (bytes, _, damaged) = encoding.encode(text);
            assert!(!damaged, "{text}");
            let found = of(&bytes, region).unwrap();
            assert_eq!(decoded(found, &bytes).as_deref(), Some(text), "{}", found.name());
        }
    }

    #[test]
    fn damaged_utf_8_stays_utf_8() {
        let bytes = [b"J\xc3\xb6rg;M\xc3\xbcller\n".as_slice(), b"bad \xff cell\n"].concat();
        assert_eq!(of(&bytes, None), Some(UTF_8));
        assert_eq!(decoded(UTF_8, b"bad \xff cell"), None);
    }

    proptest! {
        #[test]
        fn any_text_in_utf_8_is_known_wherever_it_is_cut(text in "\\PC{1,40}", region in "[A-Z]{0,2}|\\PC{0,3}", cut in any::<prop::sample::Index>()) {
            let cut = cut.index(text.len() + 1);
            let found = of(&text.as_bytes()[..cut], Some(&region));
            prop_assert!(found.is_none_or(|encoding| encoding == UTF_8));
            prop_assert_eq!(of(text.as_bytes(), Some(&region)).is_none(), text.is_ascii());
        }

        #[test]
        fn any_bytes_have_an_encoding_unless_they_are_ascii(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let found = of(&bytes, None);
            prop_assert!(!bytes.is_ascii() || found.is_none());
        }
    }
}
