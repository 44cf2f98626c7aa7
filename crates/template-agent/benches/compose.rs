//! How long a page takes, from a brief of a sentence to one that is longer than what is read of it.

use pagesmith_model::brief::Brief;
use pagesmith_model::content::Content;
use pagesmith_model::page::PageType;
use pagesmith_template_agent::compose;

fn main() {
    divan::main();
}

/// A chapter as operators write them: copy, points, numbers, a voice, a question, an instruction to the writer.
const CHAPTER: &str = "\
## Why teams switch

Northwind Ledger closes the books in three days instead of ten. Bank, card and ledger match overnight.
Tone: confident, friendly. Do not mention competitors.

- **Continuous reconciliation**: every line is matched every night.
- **One audit trail**: every change has a name, a time and a reason.
- 42 % fewer manual journal entries

> “We closed March on the second working day.” — Dana Reyes, CFO at Holloway Foods

How long does it take to set up?
Two weeks on average, with one of our accountants at your side.

";

/// A brief with this many chapters as its context.
fn brief(chapters: usize) -> Brief {
    let context =
        format!("# Northwind Ledger\n\nBooks closed in three days.\n\n{}", CHAPTER.repeat(chapters));
    Brief::new(PageType::Outbound, "Northwind Ledger", &context)
}

#[divan::bench]
fn short(bencher: divan::Bencher<'_, '_>) {
    let brief = Brief::new(PageType::Inbound, "Bread", "We bake bread for the whole street.");
    bencher.bench(|| -> Content { compose(&brief).content });
}

#[divan::bench]
fn middle(bencher: divan::Bencher<'_, '_>) {
    let brief = brief(3);
    bencher.bench(|| -> Content { compose(&brief).content });
}

/// A megabyte and more: only the beginning is read.
#[divan::bench]
fn very_long(bencher: divan::Bencher<'_, '_>) {
    let brief = brief(2_000);
    bencher.bench(|| -> Content { compose(&brief).content });
}
