//! The checks of `doctor`, one function each: from facts to a finding.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pagesmith_model::Timestamp;
use pagesmith_operations::{keys, tenants};
use pagesmith_store::{DatabaseUrl, Diagnosis, SchemaState, Store, Transport};

use super::{Check, Level};
use crate::database_safety::{DOWNGRADABLE, LOSES_COMMITS, NOT_ENCRYPTED, UNVERIFIED};

/// Less free space than this is worth a warning: 1 GiB.
const LITTLE_SPACE: u64 = 1 << 30;

/// Clocks further apart than this confuse expiry and leases.
const CLOCK_WARN: Duration = Duration::from_secs(2);

/// Clocks further apart than this break them.
const CLOCK_FAIL: Duration = Duration::from_secs(60);

/// The start of 2024: a clock before it was never set.
const NEVER_SET: Timestamp = Timestamp::from_micros(1_704_067_200_000_000);

/// The database answers and its files are sound.
pub fn reachable(url: &DatabaseUrl, diagnosis: &Diagnosis) -> Check {
    let version = diagnosis.version.split(" on ").next().unwrap_or_default();
    if diagnosis.problems.is_empty() {
        return Check::new("database", Level::Ok, format!("{url}: {version}"));
    }
    let problems = diagnosis.problems.join("; ").replace('\n', " ");
    Check::new("database", Level::Fail, format!("{url}: {version} is damaged: {problems}"))
}

/// The database has the form of this version.
pub fn migrations(diagnosis: &Diagnosis) -> Check {
    let SchemaState { pending, newer } = &diagnosis.schema;
    if pending.is_empty() && newer.is_empty() {
        return Check::new("migrations", Level::Ok, "all applied");
    }
    if pending.is_empty() {
        let detail =
            format!("{} applied by a newer version, beside which this one can serve", newer.join(", "));
        return Check::new("migrations", Level::Warn, detail);
    }
    let detail =
        format!("missing: {}; `pagesmith migrate` or the next start applies them", pending.join(", "));
    Check::new("migrations", Level::Fail, detail)
}

/// Texts of every script can be kept and compared.
pub fn collation(diagnosis: &Diagnosis) -> Check {
    let characters = &diagnosis.characters;
    let facts = format!("encoding {}, character type {}", characters.encoding, characters.character_type);
    match (characters.keep_every_text(), characters.are_unicode()) {
        (true, true) => Check::new("collation", Level::Ok, facts),
        (true, false) => {
            let detail = format!("{facts}: better a UTF-8 one, such as C.UTF-8 (at CREATE DATABASE)");
            Check::new("collation", Level::Warn, detail)
        }
        (false, _) => Check::new("collation", Level::Fail, format!("{facts}: the encoding must be UTF8")),
    }
}

/// What a PostgreSQL server acknowledges it keeps.
pub fn durability(diagnosis: &Diagnosis, may_lose: bool) -> Option<Check> {
    let found = diagnosis.durability.as_ref()?;
    let risks = found.risks();
    let check = |level, detail| Some(Check::new("durability", level, detail));
    if found.loses_commits() {
        let level = if may_lose { Level::Warn } else { Level::Fail };
        return check(level, format!("synchronous_commit is off: {LOSES_COMMITS}"));
    }
    if !risks.is_empty() {
        let detail = format!("{} off: a power cut may damage the database", risks.join(" and "));
        return check(Level::Warn, detail);
    }
    let (commit, names) = (&found.synchronous_commit, &found.synchronous_standby_names);
    if found.waits_for_standbys() {
        let stage = match commit.as_str() {
            "remote_apply" => "has stored and shows it",
            "remote_write" => "has written it, though not yet to its disk",
            _ => "has stored it",
        };
        let detail = format!(
            "synchronous_commit is {commit}: a change is acknowledged when a standby ({names}) {stage}"
        );
        return check(Level::Ok, detail);
    }
    let lost = "a failover to a standby loses what was acknowledged last";
    if names.is_empty() {
        let detail = format!(
            "synchronous_commit is {commit}, synchronous_standby_names is empty: {lost}, if there is one"
        );
        return check(Level::Ok, detail);
    }
    let detail = format!(
        "synchronous_commit is {commit}, so that no standby ({names}) is waited for: {lost}. Set it to on"
    );
    check(Level::Warn, detail)
}

/// A PostgreSQL server writes.
pub fn recovery(diagnosis: &Diagnosis) -> Option<Check> {
    let check = |level, detail| Some(Check::new("recovery", level, detail));
    if !diagnosis.is_in_recovery? {
        return check(Level::Ok, "the server is not in recovery: it writes");
    }
    let detail = "the server is in recovery, as a standby is, and only reads: promote it, or add the server that writes \
                  to the address, as in postgres://one,other/…";
    check(Level::Fail, detail)
}

/// What is said to the database nobody reads on the way.
pub fn transport(url: &DatabaseUrl) -> Check {
    match url.transport() {
        Transport::Local => Check::new("transport", Level::Ok, "on this machine"),
        Transport::Verified => Check::new("transport", Level::Ok, "TLS, certificate verified"),
        Transport::Unverified => Check::new("transport", Level::Warn, UNVERIFIED),
        Transport::Downgradable => Check::new("transport", Level::Warn, DOWNGRADABLE),
        Transport::Open => Check::new("transport", Level::Warn, NOT_ENCRYPTED),
    }
}

/// Nobody but the owner reads the embedded database's files.
pub fn files(database: &Path) -> Check {
    let absolute = std::path::absolute(database).unwrap_or_else(|_| database.to_owned());
    let beside = |suffix: &str| {
        let mut name = absolute.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let files = ["", "-wal", "-shm"].map(beside);
    let is_open =
        |path: &&PathBuf| std::fs::metadata(path).is_ok_and(|facts| facts.permissions().mode() & 0o077 != 0);
    // In a folder that nobody else may enter, the files' own modes do not matter.
    let is_closed = absolute.parent().is_some_and(|folder| !is_open(&&folder.to_owned()));
    let open: Vec<_> = files.iter().filter(is_open).map(|path| path.display().to_string()).collect();
    if is_closed || open.is_empty() {
        return Check::new("files", Level::Ok, "nobody else may read them");
    }
    Check::new("files", Level::Warn, format!("others may read {0}: chmod 600 {0}", open.join(" ")))
}

/// The system clock was set, and agrees with the database.
pub fn clock(now: Timestamp, server: Option<Timestamp>, newest: Option<Timestamp>) -> Check {
    if now < NEVER_SET {
        return Check::new("clock", Level::Fail, format!("it is {now}, says the system clock: set it"));
    }
    // The greater minus the smaller, whichever that is.
    let apart = |other: Timestamp| if now > other { now.since(other) } else { other.since(now) };
    if let Some(apart) = server.map(apart).filter(|apart| *apart > CLOCK_WARN) {
        let level = if apart > CLOCK_FAIL { Level::Fail } else { Level::Warn };
        let detail = format!("{} s away from the database server's clock: synchronise both", apart.as_secs());
        return Check::new("clock", level, detail);
    }
    match newest.filter(|newest| *newest > now.plus(CLOCK_WARN)) {
        Some(newest) => {
            let detail = format!("{now}, but the database holds a row of {newest}: the clock was set back");
            Check::new("clock", Level::Warn, detail)
        }
        None => Check::new("clock", Level::Ok, now.to_string()),
    }
}

/// The newest instant among tenants and keys: a tenant or key of the future tells of a clock that went back.
pub async fn newest(store: &Store) -> Option<Timestamp> {
    let rows = store.read(|tx| {
        let tenants = tenants::list(tx)?.into_iter().map(|tenant| tenant.created_at).max();
        let keys = keys::list(tx, None)?;
        let used = keys.iter().map(|key| key.last_used_at.unwrap_or(key.created_at)).max();
        Ok(tenants.max(used))
    });
    rows.await.ok().flatten()
}

/// There is room where the embedded database lies.
pub fn disk(database: &Path) -> Check {
    let absolute = std::path::absolute(database).unwrap_or_else(|_| database.to_owned());
    let Some(folder) = absolute.ancestors().skip(1).find(|folder| folder.exists()) else {
        return Check::new("disk", Level::Fail, format!("no folder above {} exists", database.display()));
    };
    match rustix::fs::statvfs(folder) {
        Ok(facts) => {
            let free = facts.f_bavail.saturating_mul(facts.f_frsize);
            let detail = format!("{} MiB free at {}", free >> 20, folder.display());
            Check::new("disk", if free < LITTLE_SPACE { Level::Warn } else { Level::Ok }, detail)
        }
        Err(error) => Check::new("disk", Level::Warn, format!("{}: {error}", folder.display())),
    }
}

#[cfg(test)]
mod tests {
    use pagesmith_store::{Characters, Durability};

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_800_000_000_000_000);

    #[test]
    fn clocks_are_compared_both_ways() {
        let level = |server, newest| clock(NOW, server, newest).level;
        assert_eq!(level(None, None), Level::Ok);
        assert_eq!(level(Some(NOW.plus(Duration::from_secs(1))), None), Level::Ok);
        assert_eq!(level(Some(NOW.plus(Duration::from_secs(10))), None), Level::Warn);
        assert_eq!(level(Some(NOW.minus(Duration::from_secs(100))), None), Level::Fail);
        assert_eq!(level(None, Some(NOW.plus(Duration::from_secs(100)))), Level::Warn);
        assert_eq!(clock(Timestamp::from_micros(0), None, None).level, Level::Fail);
    }

    #[test]
    fn the_disk_is_found_from_a_database_that_is_not_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let check = disk(&folder.path().join("a/b/pagesmith.db"));
        assert!(check.detail.contains(&folder.path().display().to_string()), "{}", check.detail);
    }

    #[test]
    fn a_database_that_may_lose_commits_fails_unless_that_is_allowed() {
        let level = |commit: &str, fsync: &str, may_lose| {
            durability_of(Some(settings(commit, "", fsync)), may_lose).map(|check| check.level)
        };
        assert_eq!(level("on", "on", false), Some(Level::Ok));
        assert_eq!(level("local", "on", false), Some(Level::Ok));
        assert_eq!(level("on", "off", false), Some(Level::Warn));
        assert_eq!(level("off", "on", false), Some(Level::Fail));
        assert_eq!(level("off", "on", true), Some(Level::Warn));
        assert!(durability_of(None, false).is_none());
    }

    #[test]
    fn what_a_failover_loses_is_told() {
        for (commit, names, level, words) in [
            (
                "on",
                "",
                Level::Ok,
                "a failover to a standby loses what was acknowledged last, if there is one",
            ),
            ("local", "", Level::Ok, "loses what was acknowledged last, if there is one"),
            ("local", "*", Level::Warn, "no standby (*) is waited for"),
            ("on", "*", Level::Ok, "when a standby (*) has stored it"),
            ("remote_apply", "*", Level::Ok, "when a standby (*) has stored and shows it"),
            ("remote_write", "a, b", Level::Ok, "when a standby (a, b) has written it, though"),
            ("off", "*", Level::Fail, "synchronous_commit is off: what was acknowledged is lost"),
        ] {
            let check = durability_of(Some(settings(commit, names, "on")), false).unwrap();
            assert!(check.level == level && check.detail.contains(words), "{commit} {names}: {check:?}");
        }
    }

    #[test]
    fn a_server_in_recovery_fails() {
        let found = |is_in_recovery| recovery(&Diagnosis { is_in_recovery, ..facts() });
        assert_eq!(found(Some(true)).map(|check| check.level), Some(Level::Fail));
        assert_eq!(found(Some(false)).map(|check| check.level), Some(Level::Ok));
        assert!(found(None).is_none());
    }

    #[test]
    fn an_address_that_somebody_in_between_can_read_or_change_is_warned_of() {
        for (address, level, words) in [
            ("postgres://me@/x?host=/run/postgresql", Level::Ok, "on this machine"),
            ("postgres://me@127.0.0.1/x?sslmode=disable", Level::Ok, "on this machine"),
            ("postgres://me@db/x?sslmode=verify-full", Level::Ok, "TLS, certificate verified"),
            ("postgres://me@db/x?sslmode=require&sslrootcert=ca.crt", Level::Ok, "TLS, certificate verified"),
            ("postgres://me@db/x", Level::Warn, "encrypted only if that works"),
            ("postgres://me@db/x?sslmode=prefer", Level::Warn, "encrypted only if that works"),
            ("postgres://me@db/x?sslmode=require", Level::Warn, "certificate is not verified"),
            ("postgres://me@db/x?sslmode=disable", Level::Warn, "is not encrypted"),
        ] {
            let found = transport(&address.parse().unwrap());
            assert!(found.level == level && found.detail.contains(words), "{address}: {found:?}");
            let is_told_what_to_do = found.detail.contains("use sslmode=verify-full in the address");
            assert_eq!(is_told_what_to_do, level == Level::Warn, "{address}: {found:?}");
        }
    }

    fn settings(synchronous_commit: &str, synchronous_standby_names: &str, fsync: &str) -> Durability {
        Durability {
            synchronous_commit: synchronous_commit.to_owned(),
            synchronous_standby_names: synchronous_standby_names.to_owned(),
            fsync: fsync.to_owned(),
            full_page_writes: "on".to_owned(),
        }
    }

    fn durability_of(durability: Option<Durability>, may_lose: bool) -> Option<Check> {
        super::durability(&Diagnosis { durability, ..facts() }, may_lose)
    }

    /// A database of which nothing is known.
    fn facts() -> Diagnosis {
        Diagnosis {
            version: String::new(),
            schema: SchemaState::default(),
            characters: Characters { encoding: String::new(), character_type: String::new() },
            clock: None,
            problems: vec![],
            durability: None,
            is_in_recovery: None,
        }
    }

    #[test]
    fn only_unicode_is_good_enough() {
        let diagnosis = |encoding: &str, character_type: &str| Diagnosis {
            characters: Characters {
                encoding: encoding.to_owned(),
                character_type: character_type.to_owned(),
            },
            ..facts()
        };
        assert_eq!(collation(&diagnosis("UTF8", "en_US.UTF-8")).level, Level::Ok);
        assert_eq!(collation(&diagnosis("UTF8", "C")).level, Level::Warn);
        assert_eq!(collation(&diagnosis("SQL_ASCII", "C")).level, Level::Fail);
    }
}
