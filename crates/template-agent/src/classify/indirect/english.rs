//! English questions: told of, they have another order of words than asked.

use crate::tidy;

/// Verbs that stand before who does something where it is asked.
const VERBS: [&str; 25] = [
    "is", "are", "was", "were", "can", "could", "will", "would", "must", "should", "may", "might", "do",
    "does", "did", "has", "have", "can't", "isn't", "aren't", "won't", "don't", "doesn't", "shall", "cannot",
];
/// Those that are no verbs of their own.
const ALWAYS: [&str; 9] = ["can", "could", "will", "would", "must", "should", "may", "might", "shall"];
/// Who does what with the verb's plain form, and who with its `s`.
const PLAIN: [&str; 6] = ["they", "we", "you", "i", "people", "customers"];
const WITH_S: [&str; 4] = ["it", "he", "she", "anyone"];
const ARTICLES: [&str; 9] = ["the", "a", "an", "our", "your", "their", "this", "that", "my"];
/// The most words of who or what a question is about.
const MOST_SUBJECT: usize = 5;

/// Whether a word is a verb by which a question begins.
pub fn is_verb(word: &str) -> bool {
    VERBS.contains(&word)
}

/// A question of yes or no as it is asked: `they need a permit` becomes `Do they need a permit`; `Whether …` if that is not certain.
pub fn asked(told: &str) -> String {
    let words: Vec<&str> = told.split_whitespace().collect();
    let folded: Vec<String> = words.iter().map(|word| tidy::folded(word)).collect();
    let word = |at: usize| folded.get(at).map_or("", String::as_str);
    let turned = |verb: &str, from: usize, rest: &[&str]| {
        let subject = words[..from].join(" ");
        [verb, &subject, &rest.join(" ")].join(" ").trim().to_owned()
    };
    // `the line must stop`, `we can read their mail`
    if let Some(at) = (1..words.len().min(MOST_SUBJECT + 1)).find(|at| is_verb(word(*at))) {
        let is_own = matches!(word(at), "has" | "have" | "do" | "does" | "did")
            && word(at + 1) != "to"
            && !word(at + 1).ends_with("ed");
        if !is_own || ALWAYS.contains(&word(at)) {
            let is_to = matches!(word(at), "has" | "have") && word(at + 1) == "to";
            return match (word(at), is_to) {
                ("has", true) => turned("Does", at, &[&["have"], &words[at + 1..]].concat()),
                ("have", true) => turned("Do", at, &words[at..]),
                _ => turned(words[at], at, &words[at + 1..]),
            };
        }
    }
    if PLAIN.contains(&word(0)) && words.len() > 2 {
        return turned("Do", 1, &words[1..]);
    }
    let with_verb = |subject: usize| {
        let verb = plain(word(subject))?;
        Some(turned("Does", subject, &[&[verb.as_str()], &words[subject + 1..]].concat()))
    };
    let is_one = ARTICLES.contains(&word(0)) && !word(1).ends_with('s') && words.len() > 3;
    let turned = if WITH_S.contains(&word(0)) { with_verb(1) } else { None };
    turned.or_else(|| if is_one { with_verb(2) } else { None }).unwrap_or_else(|| format!("Whether {told}"))
}

/// Any other question: asked as it is told.
pub fn open(told: &str) -> String {
    told.to_owned()
}

/// Whether a question is asked with its words in order: `What happens in the rain`, but not `How long it takes`.
pub fn is_asked(question: &str) -> bool {
    const SUBJECTS: [&str; 20] = [
        "it", "they", "we", "you", "i", "he", "she", "the", "a", "an", "our", "your", "their", "this",
        "that", "people", "there", "its", "to", "my",
    ];
    let words: Vec<String> = question.split_whitespace().take(3).map(tidy::folded).collect();
    let is_open = words.first().is_some_and(|first| {
        matches!(first.as_str(), "how" | "what" | "when" | "where" | "who" | "why" | "which" | "from")
    });
    let is_whether = words.first().is_some_and(|first| first == "whether");
    !is_whether
        && (!is_open
            || !words.iter().skip(1).any(|word| SUBJECTS.contains(&word.as_str()))
            || words.get(1).is_some_and(|word| is_verb(word)))
}

/// A verb without the `s` of who does it alone.
fn plain(verb: &str) -> Option<String> {
    if verb == "has" {
        return Some("have".to_owned());
    }
    let bare = verb.strip_suffix('s').filter(|bare| bare.len() >= 2 && !bare.ends_with(['s', 'u', 'i']))?;
    let bare = match bare.strip_suffix("ie") {
        Some(stem) => format!("{stem}y"),
        None => {
            let long = ["oe", "sse", "she", "che", "xe", "zze"].iter().any(|ending| bare.ends_with(ending));
            if long { bare[..bare.len() - 1].to_owned() } else { bare.to_owned() }
        }
    };
    Some(bare)
}
