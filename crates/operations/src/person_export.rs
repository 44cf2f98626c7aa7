//! What is held about a person, in a form that can be handed to it.
//!
//! What this is not: the answer of the API, which leaves out what only the page agent sees. What others wrote about a person into
//! entries of other logs is not found here: nothing tells that it is about them.

use pagesmith_model::account::Account;
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::json::JsonText;
use pagesmith_model::linkedin::LinkedinProfile;
use pagesmith_model::log::PersonLog;
use pagesmith_model::person::Person;
use pagesmith_model::phone::PhoneNumber;
use pagesmith_model::{AccountId, Error, PersonId, PersonLogId, Result, TenantId, Timestamp};
use pagesmith_store::tables::{accounts, person_logs, persons, tenants};
use pagesmith_store::{Extent, Tx};
use serde::Serialize;

/// How many entries are read at once.
const STEP: Extent = Extent { items: 1_000, bytes: usize::MAX };

/// Everything about one person.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Holding {
    tenant_id: TenantId,
    person: PersonRecord,
    account: Option<AccountRecord>,
    logs: Vec<LogRecord>,
}

/// A person with everything that is kept of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PersonRecord {
    person_id: PersonId,
    name: String,
    email: Option<String>,
    domain: Option<String>,
    slug: String,
    phone_number: Option<String>,
    linkedin_profile_url: Option<String>,
    context: Option<JsonText>,
    account_id: Option<AccountId>,
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Option<Timestamp>,
}

impl From<Person> for PersonRecord {
    fn from(person: Person) -> PersonRecord {
        let identifiers = person.identifiers;
        PersonRecord {
            person_id: person.person_id,
            name: person.name,
            email: identifiers.email.map(EmailAddress::into_string),
            domain: person.domain.map(Domain::into_string),
            slug: person.slug,
            phone_number: identifiers.phone_number.map(PhoneNumber::into_string),
            linkedin_profile_url: identifiers.linkedin_profile_url.map(LinkedinProfile::into_string),
            context: person.context,
            account_id: person.account_id,
            created_at: person.created_at,
            updated_at: person.updated_at,
            deleted_at: person.deleted_at,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountRecord {
    account_id: AccountId,
    domain: String,
    name: Option<String>,
}

impl From<Account> for AccountRecord {
    fn from(account: Account) -> AccountRecord {
        AccountRecord {
            account_id: account.account_id,
            domain: account.domain.into_string(),
            name: account.name,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogRecord {
    person_log_id: PersonLogId,
    source: String,
    r#type: String,
    payload: JsonText,
    idempotency_key: Option<String>,
    created_at: Timestamp,
    updated_at: Option<Timestamp>,
    deleted_at: Option<Timestamp>,
}

impl From<PersonLog> for LogRecord {
    fn from(log: PersonLog) -> LogRecord {
        let entry = log.entry;
        LogRecord {
            person_log_id: log.person_log_id,
            source: entry.source,
            r#type: entry.kind,
            payload: entry.payload,
            idempotency_key: entry.idempotency_key,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            deleted_at: entry.deleted_at,
        }
    }
}

/// The person of that id, deleted or not, and whose it is: that tenant's, or else any one's, for an id stands for one person.
pub fn find(tx: &mut Tx<'_>, tenant: Option<&TenantId>, person_id: &PersonId) -> Result<(TenantId, Person)> {
    let among = match tenant {
        Some(tenant) => vec![tenant.clone()],
        None => tenants::list(tx)?.into_iter().map(|tenant| tenant.tenant_id).collect(),
    };
    for tenant in among {
        if let Some(person) = persons::find(tx, &tenant, person_id)? {
            return Ok((tenant, person));
        }
    }
    Err(Error::new(pagesmith_model::Kind::NotFound, format!("No such person: {person_id}.")))
}

/// Everything about a person, deleted things included; its log newest first.
pub fn everything(tx: &mut Tx<'_>, tenant: Option<&TenantId>, person_id: &PersonId) -> Result<Holding> {
    let (tenant, person) = find(tx, tenant, person_id)?;
    let account = match &person.account_id {
        Some(account_id) => accounts::find(tx, &tenant, account_id)?,
        None => None,
    };
    let mut logs: Vec<LogRecord> = Vec::new();
    loop {
        let after = logs.last().map(|log| log.person_log_id.clone());
        let after = after.as_ref().map(PersonLogId::as_str);
        let (part, _) = person_logs::list(tx, &tenant, person_id, true, after, STEP)?;
        logs.extend(part.items.into_iter().map(LogRecord::from));
        if !part.more {
            break;
        }
    }
    Ok(Holding { tenant_id: tenant, person: person.into(), account: account.map(AccountRecord::from), logs })
}
