//! The sections of the results, in their order: what is measured together, and kept together.

use crate::args::Options;
use crate::report::Report;
use crate::setup::Setup;
use crate::{
    Result, backlog, bars, console, contention, copy, crowd, deliveries, domains, editing_live, history,
    idle, knowledge, logs, neighbours, pictures, questions, reads, scenarios, search, sites, traffic, visits,
    write_rules,
};

/// A section: some scenarios, and how their results are read.
pub struct Section {
    /// Its heading.
    pub name: &'static str,
    /// What `--only` calls its scenarios. The section is kept if all of them were measured.
    pub scenarios: &'static [&'static str],
    /// What a reader of its tables has to know.
    pub about: &'static str,
    /// Measures those of the scenarios that were chosen.
    pub measure: fn(&Setup, &mut Report) -> Result<()>,
}

impl Section {
    /// Whether any of its scenarios was chosen.
    pub fn is_chosen(&self, options: &Options) -> bool {
        self.scenarios.iter().any(|scenario| options.wants(scenario))
    }

    /// Whether all of them were.
    pub fn is_whole(&self, options: &Options) -> bool {
        self.scenarios.iter().all(|scenario| options.wants(scenario))
    }
}

/// All of them.
pub const SECTIONS: &[Section] = &[
    Section {
        name: "Operations",
        scenarios: &["get", "list", "update", "create"],
        about: "On 10,000 pages of about 1.5 KB. Get and list are compared with floor (a), a bare axum handler that returns the same \
            bytes; update and create with floor (b), a bare axum server that writes the same row to SQLite and commits whatever waits. CPU \
            is the server process's alone, without PostgreSQL's; memory is resident at the end, and the most since the start. ³: the \
            median of three rounds in turns. At one connection both sides mostly wait, for the disk or for an idle core to wake; ratios \
            of reads there tell little.",
        measure: scenarios::run,
    },
    Section { name: "Reads beside their floors", scenarios: &["reads"], about: "", measure: reads::run },
    Section {
        name: "The server",
        scenarios: &["group", "totals", "footprint", "idle", "micro"],
        about: "",
        measure: |setup, report| {
            bars::run(setup, report)?;
            idle::run(setup, report)
        },
    },
    Section {
        name: "Contention",
        scenarios: &["contention"],
        about: "Updates of one page over many connections, and of a thousand pages, in turns. Retries are transactions that ran again \
            because of a conflict; an update that is given up is answered 503.",
        measure: contention::run,
    },
    Section {
        name: "PostgreSQL's rules for writes",
        scenarios: &["write-rules"],
        about: "The same load on the store with one rule left out, in turns: 64 writers add entries for new persons of one tenant, by \
            themselves and beside 8 slow writers that read the newest persons first; then they update one page. What each rule is for: \
            `docs/design/store.md`.",
        measure: write_rules::run,
    },
    Section {
        name: "Persons",
        scenarios: &["logs", "history", "search"],
        about: "An entry of a log is compared with floor (c), a bare axum server that does the same lookups and inserts on SQLite and \
            commits whatever waits, or with `pgbench` running the equivalent statements over as many connections as the service keeps. \
            Searches are the first page among a million imported persons, beside a thousand small tenants, on a server that has answered \
            two thousand searches; what had been written was on the disk, and PostgreSQL had vacuumed, which it would else do meanwhile.",
        measure: |setup, report| {
            logs::run(setup, report)?;
            history::run(setup, report)?;
            search::run(setup, report)
        },
    },
    Section { name: "Copying a database", scenarios: &["copy"], about: "", measure: copy::run },
    Section {
        name: "Sites",
        scenarios: &["site", "visible", "writing"],
        about: "A hosted page that is in memory, beside floor (a) with the very bytes of its answer; and reads of the API while a \
            thousand versions are written, beside the same reads when nothing else is done.",
        measure: sites::run,
    },
    Section { name: "Domains", scenarios: &["domains"], about: "", measure: domains::run },
    Section { name: "Files and pictures", scenarios: &["pictures"], about: "", measure: pictures::run },
    Section { name: "Knowledge", scenarios: &["knowledge"], about: "", measure: knowledge::run },
    Section {
        name: "Visits",
        scenarios: &["beacons", "analytics", "forms"],
        about: "Each report is the first of a new visitor's page view, so it makes a session, and is answered when it is durable. Sums, \
            series and lists are of one of ten pages that share the sessions, which lie over 400 days and have ended. Each form is sent \
            by somebody new from an address of its own.",
        measure: visits::run,
    },
    Section {
        name: "Questions of visitors",
        scenarios: &["questions"],
        about: "Each question is asked by somebody new from an address of its own; half of them have an answer in the knowledge.",
        measure: questions::run,
    },
    Section {
        name: "Editing by conversation",
        scenarios: &["editing-live"],
        about: "",
        measure: editing_live::run,
    },
    Section {
        name: "Deliveries",
        scenarios: &["deliveries", "crowd", "backlog"],
        about: "Events are made by API calls that publish two finished versions of an audience in turn, 64 audiences at a time, and \
            counted when a receiver on the same machine has them; the time until the last has arrived counts. Times are from the beginning \
            of the call to the arrival, so they hold the call and its commit. A dead receiver takes connections and never answers.",
        measure: |setup, report| {
            deliveries::run(setup, report)?;
            crowd::run(setup, report)?;
            backlog::run(setup, report)
        },
    },
    Section { name: "Console", scenarios: &["console"], about: "", measure: console::run },
    Section {
        name: "Neighbours",
        scenarios: &["neighbours"],
        about: "What another tenant's list of pages takes while somebody does their worst.",
        measure: neighbours::run,
    },
    Section { name: "Traffic", scenarios: &["traffic"], about: "", measure: traffic::run },
];

/// Refuses a scenario that there is not, and to keep a part of a section.
pub fn check(options: &Options) -> Result<()> {
    let known = |name: &String| SECTIONS.iter().any(|section| section.scenarios.contains(&name.as_str()));
    if let Some(unknown) = options.only.iter().find(|name| !known(name)) {
        return Err(format!("--only: no scenario is called {unknown}").into());
    }
    let part = SECTIONS.iter().find(|section| section.is_chosen(options) && !section.is_whole(options));
    if let Some(part) = part.filter(|_| options.save) {
        let all = part.scenarios.join(",");
        return Err(format!("--save keeps whole sections only: \"{}\" is --only {all}", part.name).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::SECTIONS;
    use crate::args::USAGE;

    #[test]
    fn the_usage_names_every_scenario() {
        for scenario in SECTIONS.iter().flat_map(|section| section.scenarios) {
            assert!(USAGE.split([' ', ',', '\n']).any(|word| word == *scenario), "{scenario}");
        }
    }
}
