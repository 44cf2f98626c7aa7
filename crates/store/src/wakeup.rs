//! Wake-ups: how a transaction wakes the worker of the same process that handles what it has written.
//!
//! A wake-up that arrives while nobody waits is kept; several count as one. Workers find what other processes have written by polling.

use tokio::sync::Notify;

/// Which worker to wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wakeup {
    /// A delivery may be due.
    Deliveries,
    /// A version may be queued.
    Generations,
    /// A page may have to be read.
    Readings,
    /// What a tenant knows may have changed.
    Knowledge,
    /// A picture may wait for its variants.
    Pictures,
    /// A message may wait that no model carries out.
    Messages,
    /// A submission may wait for its enrichment.
    Enrichments,
    /// A message may wait that a model carries out.
    ModelMessages,
    /// A picture may wait for what it shows.
    Descriptions,
    /// A file of persons may wait to be imported.
    PersonImports,
}

/// The notifier of each kind.
#[derive(Debug, Default)]
pub(crate) struct Wakeups {
    deliveries: Notify,
    generations: Notify,
    readings: Notify,
    knowledge: Notify,
    pictures: Notify,
    messages: Notify,
    enrichments: Notify,
    model_messages: Notify,
    descriptions: Notify,
    person_imports: Notify,
}

impl Wakeups {
    pub(crate) fn of(&self, wakeup: Wakeup) -> &Notify {
        match wakeup {
            Wakeup::Deliveries => &self.deliveries,
            Wakeup::Generations => &self.generations,
            Wakeup::Readings => &self.readings,
            Wakeup::Knowledge => &self.knowledge,
            Wakeup::Pictures => &self.pictures,
            Wakeup::Messages => &self.messages,
            Wakeup::Enrichments => &self.enrichments,
            Wakeup::ModelMessages => &self.model_messages,
            Wakeup::Descriptions => &self.descriptions,
            Wakeup::PersonImports => &self.person_imports,
        }
    }
}
