//! Steps of a sequence: by words (first, then, finally), by numbers within a line.

use crate::clause;
use crate::lexicon::Lexicon;
use crate::tidy;
use crate::words::Tokens;

/// Where a sentence is in a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// It begins one.
    First,
    /// It goes on.
    Next,
    /// It ends one.
    Last,
}

/// So many bytes hold the first words of a text.
const BEGINNING: usize = 64;

/// Where a text is in a sequence, by its first words, and how many bytes these words are.
pub fn rank(text: &str, lexicon: &Lexicon) -> Option<(Rank, usize)> {
    let bare = text.trim_start();
    let tokens = Tokens::of(tidy::head(bare, BEGINNING));
    let lists = [
        (Rank::First, &lexicon.kinds.first),
        (Rank::Last, &lexicon.kinds.last),
        (Rank::Next, &lexicon.kinds.next),
    ];
    for (rank, list) in lists {
        // `And finally`, `und dann`
        for lead in 0..2 {
            if lead == 1 && lexicon.grammar.openers.at(&tokens, 0).is_none_or(|found| found.end != 1) {
                continue;
            }
            if let Some(found) = list.at(&tokens, lead) {
                // What is looked at is the beginning only: a word behind its end begins where that ends.
                let bytes = tokens.start(found.end);
                return Some((rank, text.len() - bare.len() + bytes));
            }
        }
    }
    None
}

/// Whether a sentence tells several steps in their order.
pub fn has_several(sentence: &str, lexicon: &Lexicon) -> bool {
    const SEVERAL: usize = 3;
    within(sentence, lexicon).is_some_and(|steps| steps.len() >= SEVERAL)
}

/// The steps that one sentence tells, if it tells several.
pub fn within(sentence: &str, lexicon: &Lexicon) -> Option<Vec<String>> {
    steps_of(sentence, lexicon)
        .or_else(|| timetable(sentence, lexicon))
        .or_else(|| procedure(sentence))
        .or_else(|| announced(sentence, lexicon))
}

/// The steps of a sentence that gives them as a list: with arrows between them, or with commas behind words that announce steps.
pub fn announced(sentence: &str, lexicon: &Lexicon) -> Option<Vec<String>> {
    led_by_arrows(sentence).or_else(|| told_in_turn(sentence, lexicon))
}

/// The steps of a list behind a colon that goes through days or months: `Road to launch: content in March, beta in May, release in July.`
fn timetable(sentence: &str, lexicon: &Lexicon) -> Option<Vec<String>> {
    let (lead, body) = sentence.trim().trim_end_matches('.').split_once(": ")?;
    let parts: Vec<&str> = body
        .split(", ")
        .flat_map(|part| part.split("; "))
        .map(|part| clause::without_joint(part.trim()))
        .collect();
    let timed = parts.iter().filter(|part| lexicon.kinds.times.in_text(&Tokens::of(part))).count();
    let fits = lead.split_whitespace().count() <= 6
        && parts.len() >= 3
        && timed >= 2
        && parts.iter().all(|part| part.split_whitespace().count() >= 3);
    // A list of opening hours has the same form.
    let has_hours = parts.iter().any(|part| {
        part.split_whitespace().count() <= 4
            && part.contains(|char: char| char.is_ascii_digit())
            && part.contains(['–', '-', ':'])
    });
    (fits && !has_hours).then(|| parts.iter().map(|part| tidy::capital(part)).collect())
}

/// The steps of a list behind a colon whose lead says that they are steps: `Next steps: choose the volumes; we survey them; …`
pub fn procedure(sentence: &str) -> Option<Vec<String>> {
    let (lead, body) = sentence.trim().trim_end_matches('.').split_once(": ")?;
    let parts: Vec<&str> = body.split("; ").map(|part| clause::without_joint(part.trim())).collect();
    let fits = announces(lead)
        && parts.len() >= 3
        && parts.iter().all(|part| (2..=24).contains(&part.split_whitespace().count()));
    fits.then(|| parts.iter().map(|part| tidy::capital(part)).collect())
}

/// Whether what is before a colon says that steps follow it.
fn announces(lead: &str) -> bool {
    const SIGNS: [&str; 42] = [
        "step",
        "steps",
        "first",
        "how",
        "process",
        "procedure",
        "roadmap",
        "schritte",
        "ablauf",
        "étapes",
        "déroulement",
        "comment",
        "pasos",
        "proceso",
        "cómo",
        "passos",
        "processo",
        "como",
        "passi",
        "percorso",
        "come",
        "stappen",
        "verloop",
        "hoe",
        "zuerst",
        "plan",
        "sequence",
        "wie",
        "kroki",
        "jak",
        "przebieg",
        "steg",
        "hur",
        "adımlar",
        "nasıl",
        "nasil",
        "шаги",
        "этапы",
        "как",
        "funciona",
        "funziona",
        "marche",
    ];
    lead.split_whitespace().count() <= 10
        && lead
            .split(|char: char| !char.is_alphanumeric())
            .any(|word| SIGNS.contains(&tidy::folded(word).as_str()))
}

/// The steps of a list with commas behind a colon, whose lead says that they are steps, and each of which says who does what: `How it
/// works: you send us a photo, we name a price, you decide.`
fn told_in_turn(sentence: &str, lexicon: &Lexicon) -> Option<Vec<String>> {
    let (lead, body) = sentence.trim().trim_end_matches('.').split_once(": ")?;
    if !announces(lead) {
        return None;
    }
    let parts: Vec<&str> = body.split(", ").map(|part| clause::without_joint(part.trim())).collect();
    let is_told = |part: &&&str| {
        let tokens = Tokens::of(part);
        lexicon.grammar.we.in_text(&tokens) || lexicon.grammar.you.in_text(&tokens)
    };
    let fits = parts.len() >= 3
        && parts.iter().all(|part| (2..=24).contains(&part.split_whitespace().count()))
        && parts.iter().filter(is_told).count() * 2 > parts.len();
    fits.then(|| parts.iter().map(|part| tidy::capital(part)).collect())
}

/// The steps of a line with arrows between them: `You call -> we come -> the lift runs`.
fn led_by_arrows(sentence: &str) -> Option<Vec<String>> {
    const ARROWS: [&str; 5] = [" -> ", " --> ", " => ", " → ", " ➔ "];
    const MOST_LEAD: usize = 6;
    let arrow = ARROWS.iter().find(|arrow| sentence.contains(*arrow))?;
    let text = sentence.trim().trim_end_matches('.');
    let body = match text.split_once(": ") {
        Some((lead, _)) if lead.contains(arrow) => text,
        Some((lead, body)) if lead.split_whitespace().count() <= MOST_LEAD => body,
        Some(_) => return None,
        None => text,
    };
    let parts: Vec<&str> = body.split(arrow).map(str::trim).collect();
    // A route has its stops between arrows as well.
    let fits =
        parts.len() >= 3 && parts.iter().all(|part| (2..=24).contains(&part.split_whitespace().count()));
    fits.then(|| parts.iter().map(|part| tidy::capital(part)).collect())
}

/// The steps of one sentence that tells several: `First we measure, then we drill, and finally you start.`
fn steps_of(sentence: &str, lexicon: &Lexicon) -> Option<Vec<String>> {
    if let Some(steps) = spoken(sentence, lexicon) {
        return Some(steps);
    }
    let text = sentence.trim();
    // What is before a colon announces the steps.
    let (_, body) = text.split_once(": ").unwrap_or(("", text));
    // The lead itself may say that this comes first: `What you need to do first: call us, then …`
    let is_led = body.len() < text.len() && text[..text.len() - body.len()].split_whitespace().count() <= 10;
    let goes_on = || {
        [", then ", ", dann ", ", puis ", ", luego ", ", depois ", ", poi ", ", dan "]
            .iter()
            .any(|joint| body.contains(joint))
    };
    let is_first = matches!(rank(body, lexicon), Some((Rank::First, _)));
    let begins = is_first || (is_led && goes_on());
    if !begins {
        return None;
    }
    let mut starts = vec![0];
    for (at, mark) in body.char_indices().filter(|(_, char)| matches!(char, ',' | ';' | '–' | '—')) {
        let from = at + mark.len_utf8();
        if matches!(rank(&body[from..], lexicon), Some((Rank::Next | Rank::Last, _))) {
            starts.push(from);
        }
    }
    for joint in [
        " and then ",
        " und dann ",
        " puis ",
        " y luego ",
        " e depois ",
        " e poi ",
        " en dan ",
        " and finally ",
        " and after that ",
        " und zum schluss ",
        " und schließlich ",
        " et enfin ",
        " y por último ",
        " y finalmente ",
        " e por fim ",
        " e infine ",
        " en ten slotte ",
    ] {
        starts.extend(body.match_indices(joint).map(|(at, _)| at + 1));
    }
    starts.sort_unstable();
    starts.dedup();
    let mut ends = starts[1..].to_vec();
    ends.push(body.len());
    let mut steps: Vec<String> =
        starts.iter().zip(ends).map(|(start, end)| step(&body[*start..end], lexicon)).collect();
    // `…, and on Monday you cut chips` at the end of the last step is one of its own.
    if let Some(last) = steps.pop() {
        match last_clause(&last) {
            Some((one, other)) if steps.len() >= 2 => steps.extend([one, other]),
            _ => steps.push(last),
        }
    }
    steps.retain(|step| tidy::says_something(step));
    (steps.len() >= 2).then_some(steps)
}

/// How a sentence begins that tells steps as they are spoken.
const SPOKEN: [&str; 20] = [
    "what happens is ",
    "how it works is ",
    "the way it works is ",
    "it works like this ",
    "it goes like this ",
    "das läuft so ",
    "so läuft das ",
    "es läuft so ",
    "ça se passe comme ça ",
    "ce qui se passe c'est ",
    "comment ça marche c'est ",
    "funciona así ",
    "lo que hacemos es ",
    "funciona assim ",
    "o que acontece é ",
    "funziona così ",
    "quello che facciamo è ",
    "het gaat zo ",
    "het werkt zo ",
    "det går till så ",
];
/// What is between two of these steps, and what ends the one before it.
const THEN: [&str; 12] = [
    " then ",
    " dann ",
    " danach ",
    " puis ",
    " ensuite ",
    " luego ",
    " después ",
    " depois ",
    " poi ",
    " dan ",
    " potem ",
    " sedan ",
];
const AND: [&str; 8] = [" and", " und", " et", " y", " e", " en", " och", ","];

/// The steps of a sentence as it is spoken, without marks: `what happens is first you ring us then we come and then you decide`.
fn spoken(sentence: &str, lexicon: &Lexicon) -> Option<Vec<String>> {
    let text = sentence.trim().trim_end_matches('.');
    let folded = tidy::folded(text);
    if folded.len() != text.len() {
        return None;
    }
    let mut from = SPOKEN.iter().find(|lead| folded.starts_with(*lead))?.len();
    let mut parts = Vec::new();
    let next = |from: usize| {
        THEN.iter().filter_map(|then| folded[from..].find(then).map(|at| (from + at, then.len()))).min()
    };
    while let Some((at, length)) = next(from) {
        parts.push(&text[from..at]);
        from = at + length;
    }
    parts.push(&text[from..]);
    // Before the first of them several may stand between commas.
    let bare = |part: &str| {
        let mut bare = part.trim();
        while let Some(rest) = AND.iter().find_map(|and| bare.strip_suffix(and)) {
            bare = rest.trim_end();
        }
        bare.len()
    };
    parts.iter_mut().for_each(|part| *part = &part.trim()[..bare(part)]);
    let steps = parts[0].split(", ").chain(parts[1..].iter().copied());
    let steps: Vec<String> = steps.map(|part| step(part, lexicon)).collect();
    let fits =
        steps.len() >= 3 && steps.iter().all(|step| (2..=16).contains(&step.split_whitespace().count()));
    fits.then_some(steps)
}

fn last_clause(text: &str) -> Option<(String, String)> {
    let joint = [", and ", ", und ", ", et ", ", y ", ", e ", ", en "]
        .iter()
        .find_map(|joint| text.rfind(joint).map(|at| (at, joint.len())))?;
    let (one, other) = (&text[..joint.0], &text[joint.0 + joint.1..]);
    (one.split_whitespace().count() >= 3 && other.split_whitespace().count() >= 3)
        .then(|| (one.trim().to_owned(), tidy::capital(other.trim())))
}

/// A step without the word that tells its place.
pub fn step(text: &str, lexicon: &Lexicon) -> String {
    let bare = match rank(text, lexicon) {
        Some((_, words)) if is_only_order(text, words, lexicon) => &text[words..],
        _ => text,
    };
    let bare = bare.trim_matches(|char: char| char.is_whitespace() || ",;:–—-".contains(char));
    tidy::capital(bare.trim_end_matches(['.', '。']))
}

/// Whether the first bytes of a step tell its place and nothing else, and what follows can stand without them.
fn is_only_order(text: &str, bytes: usize, lexicon: &Lexicon) -> bool {
    const INVERTED: [&str; 16] = [
        "does", "do", "did", "is", "are", "was", "were", "can", "will", "has", "have", "must", "should",
        "may", "might", "could",
    ];
    let order = Tokens::of(&text[..bytes]);
    let rest = Tokens::of(tidy::head(&text[bytes..], 60));
    let tells_time = order
        .iter()
        .any(|word| lexicon.kinds.times.has(word) || word.starts_with(|char: char| char.is_ascii_digit()))
        || lexicon.numbers.units.is_in(&order);
    // `Zuerst messen wir` cannot begin with its verb; `first: we measure` and `then the plates` can.
    let grammar = &lexicon.grammar;
    let first = rest.word(0);
    let has_subject = grammar.we.has(first) || grammar.you.has(first) || grammar.articles.has(first);
    let inverts =
        grammar.inverts && !has_subject && !text[bytes..].trim_start().starts_with(char::is_uppercase);
    !tells_time && !inverts && !INVERTED.contains(&first)
}

/// The items of a list that somebody numbered within a line: `1) Measure 2) Drill 3) Start`, `(1) Measure (2) Drill`.
pub fn numbered(text: &str) -> Option<(String, Vec<String>)> {
    let mut starts = Vec::new();
    let mut wanted = 1;
    for (at, _) in text.match_indices(|char: char| char.is_ascii_digit()) {
        let number = wanted.to_string();
        let behind = &text[at..];
        let is_start = at == 0 || text[..at].ends_with([' ', '(', ',', ';', ':', '.']);
        let rest = behind.strip_prefix(number.as_str());
        let mark =
            rest.and_then(|rest| rest.strip_prefix([')', '.', ':'])).filter(|rest| rest.starts_with(' '));
        if let Some(rest) = mark.filter(|_| is_start) {
            starts.push((at, text.len() - rest.len()));
            wanted += 1;
        }
    }
    if starts.len() < 2 {
        return numbered_without_marks(text);
    }
    items_at(text, &starts)
}

/// The same for numbers that stand without a mark, where the words before them announce steps: `How it works: 1 you call, 2 we come`.
fn numbered_without_marks(text: &str) -> Option<(String, Vec<String>)> {
    const LEAST: usize = 3;
    let (lead, body) = text.split_once(": ").filter(|(lead, _)| announces(lead))?;
    let from = lead.len() + 2;
    let (mut starts, mut wanted) = (Vec::new(), 1);
    for (at, _) in body.match_indices(|char: char| char.is_ascii_digit()) {
        let rest = body[at..].strip_prefix(wanted.to_string().as_str());
        let is_start = at == 0 || body[..at].trim_end().ends_with([',', ';']);
        let rest = rest.and_then(|rest| rest.strip_prefix(' ')).filter(|_| is_start);
        if let Some(rest) = rest.filter(|rest| rest.starts_with(char::is_alphabetic)) {
            starts.push((from + at, text.len() - rest.len()));
            wanted += 1;
        }
    }
    let is_list = starts.len() >= LEAST && starts[0].0 == from;
    is_list.then(|| items_at(text, &starts)).flatten()
}

/// What is before the first of these items, and the items; each begins with its number and goes on behind it.
fn items_at(text: &str, starts: &[(usize, usize)]) -> Option<(String, Vec<String>)> {
    let lead = text[..starts[0].0].trim().trim_end_matches('(').trim().to_owned();
    let items = starts.iter().enumerate().map(|(at, (_, from))| {
        let until = starts.get(at + 1).map_or(text.len(), |(next, _)| *next);
        tidy::capital(text[*from..until].trim().trim_end_matches([',', ';', '.', '(', ' ']))
    });
    let items: Vec<String> = items.filter(|item| tidy::says_something(item)).collect();
    (items.len() >= 2).then_some((lead, items))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon;

    #[test]
    fn what_is_spoken_is_a_sequence_too() {
        let english = lexicon::of("en").unwrap();
        assert_eq!(
            within("What happens is first you ring us then we come and look and then you decide.", english)
                .unwrap(),
            ["You ring us", "We come and look", "You decide"]
        );
        assert_eq!(
            within("How it works is you ring us, we come for free, and then we pick a date", english)
                .unwrap(),
            ["You ring us", "We come for free", "We pick a date"]
        );
        assert_eq!(within("What happens is that bread rises and then falls", english), None);
    }

    #[test]
    fn a_sentence_can_tell_all_steps() {
        let english = lexicon::of("en").unwrap();
        assert_eq!(
            steps_of("Fitting takes one Saturday: first we measure the table, then we drill the pattern, after that your setters mount two fixtures under our eyes, and on Monday you cut chips.", english).unwrap(),
            ["We measure the table", "We drill the pattern", "Your setters mount two fixtures under our eyes", "On Monday you cut chips"]
        );
        assert_eq!(steps_of("We measure the table, then we drill.", english), None);
    }

    #[test]
    fn numbers_in_a_line_are_steps() {
        let (lead, items) =
            numbered("How it goes: 1) We scan 10,000 orders 2) You visit a line, 3) Delivery").unwrap();
        assert_eq!(lead, "How it goes:");
        assert_eq!(items, ["We scan 10,000 orders", "You visit a line", "Delivery"]);
        assert_eq!(numbered("Version 1. Then 5. It is"), None);
        let (_, items) =
            numbered("So läuft es ab, Ablauf: 1 Sie rufen an, 2 wir messen 3 Fenster, 3 wir bauen ein")
                .unwrap();
        assert_eq!(items, ["Sie rufen an", "Wir messen 3 Fenster", "Wir bauen ein"]);
        assert_eq!(numbered("The flat has: 1 large bedroom, 2 baths, 3 balconies"), None);
        assert_eq!(numbered("How many: 2 large rooms, 3 baths"), None);
    }

    #[test]
    fn arrows_and_commas_behind_a_lead_are_steps() {
        let within = |tag: &str, text: &str| within(text, lexicon::of(tag).unwrap()).unwrap_or_default();
        assert_eq!(
            within("nl", "Zo gaat het: u belt ons -> wij meten de deur -> de nieuwe sleutel past."),
            ["U belt ons", "Wij meten de deur", "De nieuwe sleutel past"]
        );
        assert_eq!(
            within("en", "How it works: you post the lens, we grind it, you get it back within a week."),
            ["You post the lens", "We grind it", "You get it back within a week"]
        );
        for text in [
            "Paris → Lyon → Marseille",
            "How we bake: flour, water, salt and time.",
            "Wheat -> bread",
            "You call, we come, you pay.",
        ] {
            assert_eq!(within("en", text), Vec::<String>::new(), "{text}");
        }
    }
}
