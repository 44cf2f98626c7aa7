//! The certificates: what there are, when they end, and what is wrong with those that are ordered.

use pagesmith_http::tls::Certificates;
use pagesmith_model::Timestamp;
use pagesmith_operations::certificates::is_late;
use pagesmith_store::Store;
use pagesmith_store::tables::certificates as table;

use super::Check;
use super::Level;
use crate::config::Config;
use crate::failure::Result;

/// How many are named.
const NAMED: i64 = 5;

/// Looks at the folder, and at the database where certificates are ordered.
pub async fn check(config: &Config, now: Timestamp) -> Vec<Check> {
    let mut found = Vec::new();
    if let Some(folder) = &config.tls.folder {
        found.push(match Certificates::of(Some(folder), config.tls.acme.is_some()) {
            Ok(certificates) => of_files(&certificates, now),
            Err(error) => result(Level::Fail, format!("tls.certificates = {}: {error}", folder.display())),
        });
    }
    if config.tls.acme.is_some() {
        // A database that cannot be read is told of by the checks before.
        found.extend(ordered(config, now).await.ok().flatten());
    }
    found
}

fn result(level: Level, detail: impl Into<String>) -> Check {
    Check::new("tls", level, detail)
}

fn days(end: Timestamp, now: Timestamp) -> String {
    if end <= now {
        "has ended".to_owned()
    } else {
        format!("ends in {} days", end.since(now).as_secs() / 86_400)
    }
}

fn of_files(certificates: &Certificates, now: Timestamp) -> Check {
    let mut ends = certificates.ends_of_files();
    ends.sort_by_key(|(_, end)| *end);
    let level = match ends.first() {
        Some((_, end)) if *end <= now => Level::Fail,
        Some((_, end)) if end.since(now).as_secs() < 14 * 86_400 => Level::Warn,
        _ => Level::Ok,
    };
    let named = usize::try_from(NAMED).unwrap_or(usize::MAX);
    let names: Vec<String> =
        ends.iter().take(named).map(|(file, end)| format!("{file} {}", days(*end, now))).collect();
    result(level, format!("{} in the folder: {}", ends.len(), names.join(", ")))
}

async fn ordered(config: &Config, now: Timestamp) -> Result<Option<Check>> {
    if config.database.url.embedded_path().is_some_and(|path| !path.exists()) {
        return Ok(None);
    }
    let store = Store::open(config.database.store_options())?;
    let read = store.read(|tx| Ok((table::counts(tx)?, table::list_by_end(tx, NAMED)?))).await;
    store.close().await?;
    let (counts, first) = read?;
    let names: Vec<String> = first
        .iter()
        .map(|certificate| {
            let end = certificate.issued.as_ref().map(|issued| issued.validity.not_after);
            let state = end.map_or_else(|| "has none".to_owned(), |end| days(end, now));
            let trouble = certificate.failed.as_ref().map(|failed| format!(" ({})", failed.trouble.code()));
            format!("{} {state}{}", certificate.name, trouble.unwrap_or_default())
        })
        .collect();
    let is_late =
        first.iter().filter_map(|certificate| certificate.issued.as_ref()).any(|issued| is_late(issued, now));
    let level = if counts.failing > 0 || is_late { Level::Warn } else { Level::Ok };
    let (wanted, missing) = (counts.wanted, counts.missing);
    Ok(Some(result(
        level,
        format!("{wanted} names by ACME, {missing} of them without a certificate: {}", names.join(", ")),
    )))
}
