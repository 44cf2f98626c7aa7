//! What is left of a text that speaks to a program somewhere.

use std::borrow::Cow;

use crate::rich::Rich;
use crate::stance;

/// The number of the first sentence that speaks to a program.
fn injected(sentences: &[Rich]) -> Option<usize> {
    sentences.iter().position(|sentence| stance::is_injection(sentence.plain()))
}

/// The sentences up to the one before the first that speaks to a program: that one may announce it, and what follows goes on with it.
pub fn trusted(sentences: &[Rich]) -> &[Rich] {
    injected(sentences).map_or(sentences, |at| &sentences[..at.saturating_sub(1)])
}

/// The lines with nothing but such sentences.
pub fn trusted_lines(lines: &[Rich]) -> Cow<'_, [Rich]> {
    let Some(at) = lines.iter().position(|line| stance::is_injection(line.plain())) else {
        return Cow::Borrowed(lines);
    };
    let sentences = lines[at].sentences();
    match injected(&sentences) {
        None | Some(0) => Cow::Borrowed(&lines[..at.saturating_sub(1)]),
        Some(1) => Cow::Borrowed(&lines[..at]),
        Some(_) => {
            let kept = Rich::joined(trusted(&sentences));
            Cow::Owned(lines[..at].iter().cloned().chain([kept]).collect())
        }
    }
}
