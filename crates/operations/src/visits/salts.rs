//! Who a visitor is, without a cookie: a number that is made of the site, the address and the user agent with a random salt.
//!
//! There is a salt for each UTC day, in the database, so that all servers make the same number. Around midnight the number of the
//! day before counts as well. A salt is destroyed when the second day behind it begins, 48 hours after its own began: from then on nobody can
//! find out which number an address had. Neither address nor user agent are stored.

use std::sync::{Arc, Mutex, PoisonError};

use pagesmith_model::seal::SecretKey;
use pagesmith_model::{Error, PageLinkId, Result, TenantId, Timestamp};
use pagesmith_store::tables::visits::salts;
use pagesmith_store::{Store, Tx, overwrite_deleted};

use crate::context::Context;
use crate::visits::day_of;

/// What a visitor is told by.
#[derive(Debug, Clone, Copy)]
pub struct Traits<'a> {
    /// Whose site.
    pub tenant: &'a TenantId,
    /// Under which name.
    pub host: &'a str,
    /// The visitor's address.
    pub address: &'a str,
    /// The visitor's browser.
    pub user_agent: &'a str,
}

/// The salts of a day: its own, and that of the day before if there was one.
pub struct DaySalts {
    day: i64,
    salts: Vec<SecretKey>,
}

impl DaySalts {
    /// The visitor's numbers: today's, and yesterday's.
    pub fn visitors(&self, traits: &Traits<'_>) -> Vec<[u8; 16]> {
        let parts = [traits.tenant.as_str(), traits.host, traits.address, traits.user_agent];
        self.salts.iter().map(|salt| half(salt.digest("visitor", &parts))).collect()
    }

    /// The visitor's number on a page link, the same all day.
    pub fn visitor_of_link(
        &self,
        (tenant, link): (&TenantId, &PageLinkId),
        (address, user_agent): (&str, &str),
    ) -> Result<u64> {
        let salt = self.salts.first().ok_or_else(|| Error::internal("a day without a salt"))?;
        let parts = [tenant.as_str(), link.as_str(), address, user_agent];
        Ok(quarter(salt.digest("page link visitor", &parts)))
    }
}

/// The number of a visitor who has agreed to keep an id.
pub fn consented_visitor(ctx: &Context, tenant: &TenantId, id: [u8; 16]) -> Result<[u8; 16]> {
    let id = format!("{:032x}", u128::from_be_bytes(id));
    Ok(half(ctx.keyed_digest("visitor that keeps an id", &[tenant.as_str(), &id])?))
}

/// The same visitor's number on a page link, for as long as the id is kept.
pub fn consented_visitor_of_link(
    ctx: &Context,
    (tenant, link): (&TenantId, &PageLinkId),
    id: [u8; 16],
) -> Result<u64> {
    let id = format!("{:032x}", u128::from_be_bytes(id));
    let parts = [tenant.as_str(), link.as_str(), &id];
    Ok(quarter(ctx.keyed_digest("page link visitor that keeps an id", &parts)?))
}

fn quarter(digest: [u8; 32]) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&digest[..8]);
    u64::from_be_bytes(number)
}

fn half(digest: [u8; 32]) -> [u8; 16] {
    let mut number = [0; 16];
    number.copy_from_slice(&digest[..16]);
    number
}

/// The salts that this process has read last.
#[derive(Default)]
pub struct Salts(Mutex<Option<Arc<DaySalts>>>);

impl Salts {
    /// Those of the present day; the first who asks makes its salt.
    pub async fn of_today(&self, store: &Store, ctx: &Context) -> Result<Arc<DaySalts>> {
        if let Some(kept) = self.kept(ctx.now) {
            return Ok(kept);
        }
        let (ctx, day) = (ctx.clone(), day_of(ctx.now));
        let found = Arc::new(store.write(move |tx| find_or_make(tx, &ctx, day)).await?);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&found));
        Ok(found)
    }

    /// Those of the present day, if this process has read them.
    pub fn kept(&self, now: Timestamp) -> Option<Arc<DaySalts>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        kept.filter(|kept| kept.day == day_of(now))
    }

    /// Drops those of a day that is over, also where nobody has asked since.
    pub fn forget_old(&self, now: Timestamp) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = kept.take().filter(|kept| kept.day >= day_of(now));
    }
}

fn find_or_make(tx: &mut Tx<'_>, ctx: &Context, day: i64) -> Result<DaySalts> {
    tx.run(salts::insert(day, &ctx.random::<32>()?))?;
    let read = |(_, salt): (i64, Vec<u8>)| {
        let salt: [u8; 32] = salt.try_into().map_err(|_| Error::internal("a salt of another length"))?;
        Ok(SecretKey::new(salt))
    };
    let salts = salts::of_two_days(tx, day)?.into_iter().map(read).collect::<Result<_>>()?;
    Ok(DaySalts { day, salts })
}

/// Destroys the salts that nobody needs any more.
pub fn destroy_old(tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
    overwrite_deleted(tx)?;
    tx.run(salts::remove_before(day_of(now) - 1)).map(drop)
}

#[cfg(test)]
mod tests {
    use pagesmith_model::visit::range::DAY;

    use super::*;

    #[test]
    fn salts_leave_memory_when_their_day_is_over() {
        let start = |day: i64| Timestamp::from_micros(0).plus(DAY * u32::try_from(day).unwrap());
        let salts = Salts(Mutex::new(Some(Arc::new(DaySalts { day: 20_000, salts: vec![] }))));
        let are_kept = || salts.0.lock().unwrap().is_some();
        salts.forget_old(start(20_001).minus(std::time::Duration::from_micros(1)));
        assert!(are_kept());
        salts.forget_old(start(20_001));
        assert!(!are_kept());
    }
}
