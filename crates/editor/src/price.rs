//! A new amount in the form in which a price is written: `139` in the place of the number of `€129 per month`.

/// Signs and words of the same currency.
const CURRENCIES: [&[&str]; 4] = [
    &["€", "eur", "euro", "euros"],
    &["£", "gbp", "pound", "pounds", "quid", "pfund", "livres", "libras"],
    &["$", "usd", "dollar", "dollars", "dólares"],
    &["chf", "franken", "francs", "francos"],
];

/// An amount as the price that was there before is written, if it only tells another number of the same; else as it is told.
pub(crate) fn in_form_of(old: &str, amount: &str) -> String {
    let (Some((before, old_number, behind)), Some((_, number, _))) = (parts(old), parts(amount)) else {
        return amount.to_owned();
    };
    let told = words_beside(amount, number);
    let there = words_beside(old, old_number);
    let is_there = |word: &String| there.iter().any(|other| other == word || is_same_currency(other, word));
    // `10 € a month` for `€100 a year` is no number alone.
    if told.iter().all(is_there) { format!("{before}{number}{behind}") } else { amount.to_owned() }
}

/// The only number of a text, with what is before and behind it.
fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let is_number = |char: char| char.is_ascii_digit();
    let start = text.find(is_number)?;
    let goes_on = |char: char| is_number(char) || matches!(char, '.' | ',' | ' ' | '\u{a0}' | '\u{202f}');
    let rest = &text[start..];
    let end = rest.find(|char| !goes_on(char)).unwrap_or(rest.len());
    let number = rest[..end].trim_end_matches(|char| !is_number(char));
    let behind = &rest[number.len()..];
    (!behind.contains(is_number)).then_some((&text[..start], number, behind))
}

/// The words and signs beside a number.
fn words_beside(text: &str, number: &str) -> Vec<String> {
    let spaced = text.replacen(number, " ", 1).to_lowercase();
    let signs = |char: char| matches!(char, '€' | '£' | '$');
    let spaced: String =
        spaced.chars().flat_map(|char| if signs(char) { vec![' ', char, ' '] } else { vec![char] }).collect();
    spaced.split_whitespace().map(ToOwned::to_owned).collect()
}

fn is_same_currency(one: &str, other: &str) -> bool {
    CURRENCIES.iter().any(|same| same.contains(&one) && same.contains(&other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_number_changes_where_nothing_else_is_told() {
        for (old, amount, new) in [
            ("€129 per month", "139 euros", "€139 per month"),
            ("7,90 €", "8,50", "8,50 €"),
            ("49 €", "55 €", "55 €"),
            ("18 €", "21 euros", "21 €"),
            ("£65", "£70", "£70"),
            ("from 4 800 € a year", "4 950", "from 4 950 € a year"),
            ("€129 per month", "€1,200 per year", "€1,200 per year"),
            ("100 $", "90 €", "90 €"),
            ("2 for 5 €", "6 €", "6 €"),
            ("on request", "6 €", "6 €"),
            ("800 €", "ab 950 €", "ab 950 €"),
        ] {
            assert_eq!(in_form_of(old, amount), new, "{old}");
        }
    }
}
