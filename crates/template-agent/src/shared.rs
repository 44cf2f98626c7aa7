//! What agents with a model share with this one, so that the same holds for all pages.

/// The plans of pages as advice.
pub mod advice {
    pub use crate::advice::sections;
}

/// The checker, which finds what a page must not say.
pub mod check {
    pub use crate::check::{Checker, Finding, Mending, Rule, Wording, check};
}

/// The rules about pictures.
pub mod pictures {
    pub use crate::alt_text::alt_text;
    pub use crate::pictures::once;
}

/// What pages may say of the tenant's knowledge.
pub mod public_chunks {
    pub use crate::public_chunks::{PublicChunk, of};
}

/// The rules about texts: which characters pages show, which addresses are recognised, and what is held back.
pub mod text {
    pub use crate::block_ids::number_blocks;
    pub use crate::followup::readable as readable_log;
    pub use crate::links::next_address;
    pub use crate::reader::is_fit_to_show;
    pub use crate::stance::label::{Label, of as label_of};
    pub use crate::tidy::{clean, head, line, says_something};
}
