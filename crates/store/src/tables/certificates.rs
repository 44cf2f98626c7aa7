//! `certificates`: host names with their certificate and the order for the next one; keys are sealed under the server's.

use pagesmith_model::certificate::trouble::Trouble;
use pagesmith_model::certificate::{Certificate, Failed, Issued, Order, OrderStage, Validity};
use pagesmith_model::{Error, Result, Timestamp};

use crate::row::Row;
use crate::sql::Query;
use crate::tables::whole;
use crate::tx::Tx;
use crate::{sql, values};

pub mod acme_accounts;

/// The columns of a certificate, which [`certificate`] reads.
macro_rules! certificate_columns {
    () => {
        $crate::sql::columns!("" => name, directory, not_before, not_after, issued_at, first_issued_at, renew_at, renewal_id,
            order_stage, order_url, ordered_at, failures, trouble, trouble_detail, failed_at, next_step_at, created_at)
    };
}

fn certificate(row: &Row) -> Result<Certificate> {
    let times: [Option<Timestamp>; 5] = [
        row.take("not_before")?,
        row.take("not_after")?,
        row.take("issued_at")?,
        row.take("first_issued_at")?,
        row.take("renew_at")?,
    ];
    let renewal_id: Option<String> = row.take("renewal_id")?;
    let issued = match times {
        [Some(not_before), Some(not_after), Some(issued_at), Some(first_issued_at), Some(renew_at)] => {
            let validity = Validity { not_before, not_after };
            Some(Issued { validity, issued_at, first_issued_at, renew_at, renewal_id })
        }
        _ => None,
    };
    let (stage, began_at): (Option<String>, Option<Timestamp>) =
        (row.take("order_stage")?, row.take("ordered_at")?);
    let stage = stage.map(|stage| {
        OrderStage::parse(&stage).ok_or_else(|| Error::internal("an order with an unknown stage"))
    });
    let url = row.take("order_url")?;
    let order = stage.transpose()?.zip(began_at).map(|(stage, began_at)| Order { stage, url, began_at });
    let (trouble, at): (Option<String>, Option<Timestamp>) = (row.take("trouble")?, row.take("failed_at")?);
    let detail: Option<String> = row.take("trouble_detail")?;
    let failed = trouble.zip(at).map(|(trouble, at)| Failed {
        // A newer server may know more of them.
        trouble: Trouble::parse(&trouble).unwrap_or(Trouble::Refused),
        detail: detail.unwrap_or_default(),
        at,
    });
    let failures: i64 = row.take("failures")?;
    Ok(Certificate {
        name: row.take("name")?,
        directory: row.take("directory")?,
        issued,
        order,
        failures: u32::try_from(failures).unwrap_or(u32::MAX),
        failed,
        next_step_at: row.take("next_step_at")?,
        created_at: row.take("created_at")?,
    })
}

/// Adds a name that wants a certificate, unless it is there.
pub fn insert(certificate: &Certificate) -> Query {
    sql!(
        "INSERT INTO certificates (name, directory, failures, next_step_at, created_at)
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING"
    )
    .with(values![
        certificate.name.as_str(),
        certificate.directory.as_str(),
        i64::from(certificate.failures),
        certificate.next_step_at,
        certificate.created_at,
    ])
}

/// The names.
pub fn names(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    tx.all(sql!("SELECT name FROM certificates").with(values![]))?
        .iter()
        .map(|row| row.take("name"))
        .collect()
}

/// The certificate of a name.
pub fn find(tx: &mut Tx<'_>, name: &str) -> Result<Option<Certificate>> {
    let select = sql!("SELECT ", certificate_columns!(), " FROM certificates WHERE name = $1");
    tx.maybe(select.with(values![name]))?.as_ref().map(certificate).transpose()
}

/// Those that end first, or have none.
pub fn list_by_end(tx: &mut Tx<'_>, limit: i64) -> Result<Vec<Certificate>> {
    let select = sql!(
        "SELECT ",
        certificate_columns!(),
        " FROM certificates ORDER BY COALESCE(not_after, 0), name LIMIT $1"
    );
    tx.all(select.with(values![limit]))?.iter().map(certificate).collect()
}

/// Those with which something is to be done, those first that wait longest.
pub fn due(tx: &mut Tx<'_>, now: Timestamp, limit: i64) -> Result<Vec<Certificate>> {
    let select = sql!(
        "SELECT ",
        certificate_columns!(),
        " FROM certificates WHERE next_step_at <= $1 ORDER BY next_step_at, name LIMIT $2"
    );
    tx.all(select.with(values![now, limit]))?.iter().map(certificate).collect()
}

/// Writes what a step alters, but for keys and the challenge.
pub fn update(certificate: &Certificate) -> Query {
    let issued = certificate.issued.as_ref();
    let order = certificate.order.as_ref();
    let failed = certificate.failed.as_ref();
    sql!(
        "UPDATE certificates SET directory = $2, issued_at = $3, first_issued_at = $4, not_before = $5, not_after = $6,
            renew_at = $7, renewal_id = $8, order_stage = $9, order_url = $10, ordered_at = $11, failures = $12,
            trouble = $13, trouble_detail = $14, failed_at = $15, next_step_at = $16
         WHERE name = $1"
    )
    .with(values![
        certificate.name.as_str(),
        certificate.directory.as_str(),
        issued.map(|issued| issued.issued_at),
        issued.map(|issued| issued.first_issued_at),
        issued.map(|issued| issued.validity.not_before),
        issued.map(|issued| issued.validity.not_after),
        issued.map(|issued| issued.renew_at),
        issued.and_then(|issued| issued.renewal_id.as_deref()),
        order.map(|order| order.stage.as_str()),
        order.and_then(|order| order.url.as_deref()),
        order.map(|order| order.began_at),
        i64::from(certificate.failures),
        failed.map(|failed| failed.trouble.code()),
        failed.map(|failed| failed.detail.as_str()),
        failed.map(|failed| failed.at),
        certificate.next_step_at,
    ])
}

/// Removes a name.
pub fn remove(name: &str) -> Query {
    sql!("DELETE FROM certificates WHERE name = $1").with(values![name])
}

/// Keeps the sealed key for the order, in the place of one before.
pub fn save_order_key(name: &str, sealed: &[u8]) -> Query {
    sql!("UPDATE certificates SET sealed_order_key = $2, token = NULL, key_authorization = NULL WHERE name = $1")
        .with(values![name, sealed])
}

/// The sealed key for the order.
pub fn order_key(tx: &mut Tx<'_>, name: &str) -> Result<Option<Vec<u8>>> {
    let select = sql!("SELECT sealed_order_key FROM certificates WHERE name = $1");
    tx.maybe(select.with(values![name]))?.map_or(Ok(None), |row| row.take("sealed_order_key"))
}

/// Keeps what is answered to the authority's challenge.
pub fn save_challenge(name: &str, token: &str, key_authorization: &str) -> Query {
    sql!("UPDATE certificates SET token = $2, key_authorization = $3 WHERE name = $1").with(values![
        name,
        token,
        key_authorization
    ])
}

/// What is answered to the challenge of that token, under that name.
pub fn challenge(tx: &mut Tx<'_>, name: &str, token: &str) -> Result<Option<String>> {
    let select = sql!("SELECT key_authorization FROM certificates WHERE name = $1 AND token = $2");
    tx.maybe(select.with(values![name, token]))?.map_or(Ok(None), |row| row.take("key_authorization"))
}

/// What is answered to the challenge under that name, whatever its token.
pub fn challenge_of_name(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
    let select = sql!("SELECT key_authorization FROM certificates WHERE name = $1");
    tx.maybe(select.with(values![name]))?.map_or(Ok(None), |row| row.take("key_authorization"))
}

/// Shows the certificate of the order from now on, with the key of the order.
pub fn show(name: &str, chain: &str) -> Query {
    sql!(
        "UPDATE certificates SET chain = $2, sealed_key = sealed_order_key, sealed_order_key = NULL, token = NULL,
            key_authorization = NULL
         WHERE name = $1"
    )
    .with(values![name, chain])
}

/// The names with a certificate to show, each with when it was issued.
pub fn shown(tx: &mut Tx<'_>) -> Result<Vec<(String, Timestamp)>> {
    let select = sql!(
        "SELECT name, issued_at FROM certificates WHERE chain IS NOT NULL AND LENGTH(sealed_key) > 0
            AND issued_at IS NOT NULL"
    );
    tx.all(select.with(values![]))?
        .iter()
        .map(|row| Ok((row.take("name")?, row.take("issued_at")?)))
        .collect()
}

/// The chain and the sealed key of a name.
pub fn pair(tx: &mut Tx<'_>, name: &str) -> Result<Option<(String, Vec<u8>)>> {
    let select = sql!("SELECT chain, sealed_key FROM certificates WHERE name = $1");
    let Some(row) = tx.maybe(select.with(values![name]))? else { return Ok(None) };
    let (chain, key): (Option<String>, Option<Vec<u8>>) = (row.take("chain")?, row.take("sealed_key")?);
    Ok(chain.zip(key))
}

/// The sealed keys of a name: of the certificate, and of the order.
pub type SealedKeys = (Option<Vec<u8>>, Option<Vec<u8>>);

/// Names with their sealed keys, in their order, behind one of them.
pub fn list_sealed(tx: &mut Tx<'_>, after: Option<&str>, limit: i64) -> Result<Vec<(String, SealedKeys)>> {
    let select = sql!(
        "SELECT name, sealed_key, sealed_order_key FROM certificates WHERE name > $1 ORDER BY name LIMIT $2"
    );
    tx.all(select.with(values![after.unwrap_or_default(), limit]))?
        .iter()
        .map(|row| Ok((row.take("name")?, (row.take("sealed_key")?, row.take("sealed_order_key")?))))
        .collect()
}

/// Replaces what the keys are sealed as.
pub fn update_sealed(name: &str, (key, order_key): &SealedKeys) -> Query {
    sql!("UPDATE certificates SET sealed_key = $2, sealed_order_key = $3 WHERE name = $1").with(values![
        name,
        key.as_deref(),
        order_key.as_deref()
    ])
}

/// Forgets a certificate and its order, whose keys do not open: it is ordered anew.
pub fn give_up(name: &str, now: Timestamp) -> Query {
    sql!(
        "UPDATE certificates SET chain = NULL, sealed_key = NULL, not_before = NULL, not_after = NULL, issued_at = NULL,
            first_issued_at = NULL, renew_at = NULL, renewal_id = NULL, order_stage = NULL, order_url = NULL,
            ordered_at = NULL, sealed_order_key = NULL, token = NULL, key_authorization = NULL, next_step_at = $2
         WHERE name = $1"
    )
    .with(values![name, now])
}

/// Counts over all certificates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CertificateCounts {
    /// Names that want one.
    pub wanted: u64,
    /// Names that have none.
    pub missing: u64,
    /// Names whose last attempt failed.
    pub failing: u64,
    /// When the first one ends.
    pub first_end: Option<Timestamp>,
}

/// Counts over all certificates.
pub fn counts(tx: &mut Tx<'_>) -> Result<CertificateCounts> {
    let select = sql!(
        "SELECT COUNT(*) AS wanted, COUNT(*) - COUNT(chain) AS missing, COUNT(trouble) AS failing,
            MIN(not_after) AS first_end
         FROM certificates"
    );
    let row = tx.one(select.with(values![]))?;
    let count = |name: &str| row.get::<i64>(name).map(|count| u64::try_from(count).unwrap_or_default());
    Ok(CertificateCounts {
        wanted: count("wanted")?,
        missing: count("missing")?,
        failing: count("failing")?,
        first_end: row.get("first_end")?,
    })
}

/// Every name that leads here by its DNS, and the name below the site domain of every tenant.
pub fn wanted_names(tx: &mut Tx<'_>, site_domain: &str, limit: usize) -> Result<Vec<String>> {
    // across tenants: every tenant's domains have certificates
    let domains = sql!("SELECT domain FROM tenant_domains WHERE status = 'active' LIMIT $1");
    let slugs = sql!("SELECT slug FROM tenants ORDER BY created_at LIMIT $1");
    let limit = whole(u64::try_from(limit).unwrap_or(u64::MAX));
    let mut answers = tx.batch(vec![domains.with(values![limit]), slugs.with(values![limit])])?;
    let slugs = answers.pop().unwrap_or_default();
    let domains = answers.pop().unwrap_or_default();
    let mut names = domains.iter().map(|row| row.take("domain")).collect::<Result<Vec<String>>>()?;
    for row in &slugs {
        let slug: String = row.take("slug")?;
        names.push(format!("{slug}.{site_domain}"));
    }
    Ok(names)
}
