//! Where sentences end.
//!
//! What this is not: grammar. A full stop after an abbreviation, a number or a single letter ends nothing, and the marks of Markdown
//! are not torn apart. In doubt two sentences stay together, which reads better than half of one.

use crate::tidy;

/// Words that are written with a full stop, without it.
const SHORTENED: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "no", "nr", "vs", "etc", "inc", "ltd", "co", "corp", "approx",
    "incl", "excl", "aprox", "env", "ca", "bzw", "usw", "inkl", "zzgl", "evtl", "ggf", "vgl", "str", "tel",
    "fig", "e.g", "i.e", "z.b", "d.h", "u.a", "o.ä", "u.s", "a.m", "p.m", "m", "mme", "mlle", "sr", "sra",
    "dra", "ing", "art", "min", "max", "mio", "mrd", "jan", "feb", "aug", "sept", "oct", "nov", "dec", "dez",
    "p.ej", "ul", "al", "pl", "os", "godz", "cad", "sk", "mah", "avda", "av", "bd", "sig", "dott", "p.es",
    "bijv", "o.a", "bl.a", "t.ex", "rs", "pvt", "lda", "asst", "dept", "ул", "тел", "руб",
];

/// Words with a capital that begin sentences and are no family names: behind `Anna K.` a new sentence begins with them.
const BEGINNINGS: &[&str] = &[
    "we",
    "our",
    "the",
    "it",
    "they",
    "this",
    "you",
    "your",
    "wir",
    "unser",
    "unsere",
    "das",
    "es",
    "sie",
    "nous",
    "notre",
    "nos",
    "il",
    "elle",
    "les",
    "on",
    "vous",
    "c'est",
    "nosotros",
    "somos",
    "nuestro",
    "nuestra",
    "los",
    "las",
    "noi",
    "siamo",
    "gli",
    "nosso",
    "nossa",
    "os",
    "as",
    "wij",
    "onze",
    "het",
    "my",
    "nasz",
    "nasza",
    "jesteśmy",
    "to",
    "vi",
    "vår",
    "det",
    "biz",
    "bu",
    "мы",
    "наш",
    "наша",
    "это",
];

/// The end of every sentence of Markdown, in bytes; the last one is the text's end.
pub fn ends(text: &str) -> Vec<usize> {
    let mut depth = Depth::default();
    let mut is_escaped = false;
    ends_where(text, |at, char| {
        if is_escaped || char == '\\' {
            is_escaped = !is_escaped;
            return false;
        }
        depth.see(char, char == ']' && text[at..].starts_with("]("));
        !depth.is_inside()
    })
}

/// The same of a text without marks.
pub fn ends_of_plain(text: &str) -> Vec<usize> {
    ends_where(text, |_, _| true)
}

/// The ends of the sentences whose last sign is where one can end.
fn ends_where(text: &str, mut can_end: impl FnMut(usize, char) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    // However long a run of punctuation is, it is read once.
    let mut run = Run::default();
    for (at, char) in text.char_indices() {
        if !can_end(at, char) {
            continue;
        }
        let from = at + char.len_utf8();
        match char {
            '。' | '！' | '？' | '।' => {
                if from > run.end {
                    let rest = text[from..].trim_start_matches(['」', '』', '）', '”', '。', '！', '？']);
                    run = Run { end: text.len() - rest.len(), starts_anew: true };
                }
                found.push(run.end);
            }
            '.' | '!' | '?' | '…' | '؟' | '۔' => {
                if from > run.end {
                    run = Run::of(text, from);
                }
                let is_shortened = || {
                    let (before, behind) = (&text[..at], &text[run.end..]);
                    char == '.' && (is_shortened(before, behind) || is_of_month(before, behind))
                };
                if run.starts_anew && !is_shortened() {
                    found.push(run.end);
                }
            }
            _ => {}
        }
    }
    if found.last() != Some(&text.len()) {
        found.push(text.len());
    }
    found.dedup();
    found
}

/// The punctuation that ends a sentence, with the quotation marks and brackets that close behind it.
#[derive(Default)]
struct Run {
    end: usize,
    /// Whether a new sentence can begin behind it.
    starts_anew: bool,
}

impl Run {
    /// The run whose first mark ends at `from`.
    fn of(text: &str, from: usize) -> Self {
        let rest = &text[from..];
        let behind = rest.trim_start_matches(['"', '”', '’', '\'', ')', '»', '“', '.', '!', '?', '*']);
        // In French a space is before the mark that closes a quotation.
        let behind = match behind.trim_start().strip_prefix('»') {
            Some(rest) if !behind.starts_with('»') => rest,
            _ => behind,
        };
        Self { end: text.len() - behind.len(), starts_anew: starts_anew(behind) }
    }
}

/// Whether a new sentence can begin here: after a space, and not with a small letter.
fn starts_anew(behind: &str) -> bool {
    let next = behind.trim_start();
    behind.len() != next.len() && next.chars().next().is_some_and(|char| !char.is_lowercase())
}

/// `am 24. und 25. Februar`: a number before the name of a month is a day.
fn is_of_month(before: &str, behind: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "januar",
        "februar",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ];
    let (before, behind) = near(before, behind);
    let next =
        behind.split_whitespace().next().unwrap_or_default().trim_end_matches([',', '.', ';', ':', ')']);
    ends_with_day(before) && MONTHS.contains(&next.to_lowercase().as_str())
}

/// Whether the last word of a text is a number that can be a day of a month.
fn ends_with_day(text: &str) -> bool {
    let day = text.rsplit([' ', '(']).next().unwrap_or_default();
    (1..=2).contains(&day.len()) && day.bytes().all(|byte| byte.is_ascii_digit())
}

/// The end of one text and the beginning of the other: the words beside a full stop are looked for no farther away, however long a text is.
fn near<'a>(before: &'a str, behind: &'a str) -> (&'a str, &'a str) {
    const MOST: usize = 200;
    let from = before.ceil_char_boundary(before.len().saturating_sub(MOST));
    (&before[from..], tidy::head(behind, MOST))
}

/// Whether the full stop between these texts belongs to a day: `27. mars` in languages that write months small.
pub fn is_day(before: &str, behind: &str) -> bool {
    let (before, behind) = near(before, behind);
    is_of_month(before, behind)
        || ends_with_day(before) && behind.trim_start().starts_with(char::is_lowercase)
}

/// Whether a text is a question.
pub fn is_question(text: &str) -> bool {
    let text = text.trim().trim_end_matches(['*', '"', '”', '」']);
    text.ends_with(['?', '？', '؟']) && (6..=300).contains(&tidy::length(text))
}

/// Whether the full stop between these texts belongs to the last word before it: an abbreviation, a day, an initial.
pub fn is_shortened(before: &str, behind: &str) -> bool {
    let (before, behind) = near(before, behind);
    let word = before.rsplit([' ', '(', '[', '*', '"']).next().unwrap_or_default();
    // `No. 5`, but `Do I need a deposit? No. What if …`
    if word.eq_ignore_ascii_case("no") {
        let ahead = before[..before.len() - word.len()].trim_end();
        let is_answer = ahead.is_empty() || ahead.ends_with(['.', '!', '?']);
        return !is_answer || behind.trim_start().starts_with(|char: char| char.is_ascii_digit());
    }
    let letters = word.chars().count();
    // `am 3. Mai`, `3. Platz`: an ordinal follows one of a few words, or nothing.
    let ahead = before[..before.len() - word.len()].trim_end();
    let ahead = ahead.rsplit(' ').next().unwrap_or_default();
    let is_led = ahead.is_empty()
        || ["am", "vom", "bis", "zum", "der", "dem", "den", "des", "im", "beim", "ab"]
            .contains(&ahead.to_lowercase().as_str());
    let is_number = letters <= 2 && is_led && word.chars().all(|char| char.is_ascii_digit());
    // `500 g. Livraison le mardi`
    let is_unit =
        !word.starts_with(char::is_uppercase) && ahead.ends_with(|char: char| char.is_ascii_digit());
    // `Depl. 39 €`: a short word alone before a number is the name of what it counts.
    let is_name = (3..=5).contains(&letters)
        && (ahead.is_empty() || ahead.ends_with(['.', '!', '?']))
        && behind.trim_start().starts_with(|char: char| char.is_ascii_digit());
    letters == 0
        || is_name
        || (letters == 1
            && !is_unit
            && !word.starts_with(|char: char| char.is_ascii_digit())
            && !is_followed_by_sentence(ahead, word, behind))
        || is_number
        || SHORTENED.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether a new sentence is behind a letter that ends a name or a title: `Fragen Sie Anna K. Wir sind da.`
fn is_followed_by_sentence(ahead: &str, letter: &str, behind: &str) -> bool {
    let next = behind.trim_start().split([' ', ',', '.', '!', '?', ':']).next().unwrap_or_default();
    letter.starts_with(char::is_uppercase)
        && !ahead.is_empty()
        && !ahead.ends_with(['.', ','])
        && (BEGINNINGS.contains(&next.to_lowercase().replace('’', "'").as_str())
            || next.starts_with(|char: char| char.is_ascii_digit()))
}

/// The marks that are open.
#[derive(Default)]
struct Depth {
    strong: bool,
    link: bool,
    address: bool,
    code: bool,
    starred: bool,
}

impl Depth {
    fn see(&mut self, char: char, opens_address: bool) {
        match char {
            '`' => self.code = !self.code,
            _ if self.code => {}
            '*' if !self.starred => {
                self.strong = !self.strong;
                self.starred = true;
                return;
            }
            '[' => self.link = true,
            ']' => {
                self.link = false;
                self.address = opens_address;
            }
            ')' => self.address = false,
            _ => {}
        }
        self.starred = self.starred && char == '*';
    }

    fn is_inside(&self) -> bool {
        self.strong || self.link || self.address || self.code
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn split(text: &str) -> Vec<&str> {
        let mut start = 0;
        let parts = ends(text).into_iter().map(|end| text[std::mem::replace(&mut start, end)..end].trim());
        parts.filter(|part| !part.is_empty()).collect()
    }

    #[test]
    fn sentences_end_where_a_reader_says() {
        assert_eq!(split("We bake. You eat! Right?"), ["We bake.", "You eat!", "Right?"]);
        assert_eq!(
            split("Dr. Weber pays 3.5 % more, e.g. in May. Fine."),
            ["Dr. Weber pays 3.5 % more, e.g. in May.", "Fine."]
        );
        assert_eq!(split("We have SOC 2. Ask us."), ["We have SOC 2.", "Ask us."]);
        assert_eq!(split("Am 3. Mai geht es los. Kommt!"), ["Am 3. Mai geht es los.", "Kommt!"]);
        assert_eq!(
            split("Am 24. und 25. Februar kommen wir. Gut."),
            ["Am 24. und 25. Februar kommen wir.", "Gut."]
        );
        assert_eq!(split("A deposit? No. Insurance? Yes."), ["A deposit?", "No.", "Insurance?", "Yes."]);
        assert_eq!(split("Our plant No. 5 is new. Come."), ["Our plant No. 5 is new.", "Come."]);
        assert_eq!(split("89 euros incl. VAT. Fine."), ["89 euros incl. VAT.", "Fine."]);
        assert_eq!(split("“Yes.” She left."), ["“Yes.”", "She left."]);
        assert_eq!(split("« Oui, dit-il. » Merci."), ["« Oui, dit-il. »", "Merci."]);
        assert_eq!(split("今日は。明日も！"), ["今日は。", "明日も！"]);
        assert_eq!(split("ما هذا؟ هذا كتاب."), ["ما هذا؟", "هذا كتاب."]);
        assert_eq!(split("Lublin, ul. Zielona 4. Chodź."), ["Lublin, ul. Zielona 4.", "Chodź."]);
        assert_eq!(split("Fragen Sie Anna K. Wir sind da."), ["Fragen Sie Anna K.", "Wir sind da."]);
        assert_eq!(split("Take plan B. It is cheap."), ["Take plan B.", "It is cheap."]);
        assert_eq!(split("On vient. Depl. 39 €. Devis."), ["On vient.", "Depl. 39 €.", "Devis."]);
        assert_eq!(split("Le pot de 500 g. Avant 7 h. Oui."), ["Le pot de 500 g.", "Avant 7 h.", "Oui."]);
        assert_eq!(
            split("Ab 6.800 €. Montage frei. 5 %. Gut."),
            ["Ab 6.800 €.", "Montage frei.", "5 %.", "Gut."]
        );
        assert_eq!(split("By J. S. Bach. Oui, M. Le Goff."), ["By J. S. Bach.", "Oui, M. Le Goff."]);
        assert_eq!(split("Obst, z. B. Das Fallobst."), ["Obst, z. B. Das Fallobst."]);
        assert_eq!(split("The price is Rs. 2.85 lakh. Come."), ["The price is Rs. 2.85 lakh.", "Come."]);
        assert_eq!(split("**Fast.** It is."), ["**Fast.** It is."]);
        assert_eq!(split("See [A. B](https://x.y/z. a). End."), ["See [A. B](https://x.y/z. a).", "End."]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "\\PC{0,60}") {
            let ends = ends(&text);
            prop_assert_eq!(ends.last().copied(), Some(text.len()));
            prop_assert!(ends.iter().all(|end| text.is_char_boundary(*end)));
            prop_assert!(ends.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
