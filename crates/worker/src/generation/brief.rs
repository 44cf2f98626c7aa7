//! From what the database knows to what an agent is told.

use pagesmith_model::account::Account;
use pagesmith_model::asset::{Asset, AssetData};
use pagesmith_model::brief::{AccountBrief, AssetBrief, Brief, ChunkBrief, LogBrief, PersonBrief};
use pagesmith_model::domain::Domain;
use pagesmith_model::email::EmailAddress;
use pagesmith_model::log::Entry;
use pagesmith_model::page::action::Action;
use pagesmith_model::person::Person;
use pagesmith_model::person::context::PersonContext;
use pagesmith_model::{Error, Result};
use pagesmith_operations::versions::briefing::Material;
use pagesmith_store::tables::knowledge::chunks::FoundChunk;

/// The brief of a version.
pub(crate) fn of(material: Material, knowledge: Vec<FoundChunk>) -> Result<Brief> {
    let Material { page, brand, audience, version, person, account, logs, assets, .. } = material;
    let actions: Vec<Action> = serde_json::from_str(page.actions.as_str()).map_err(Error::internal)?;
    Ok(Brief {
        page_type: page.page_type,
        page_name: page.name,
        page_context: page.page_context,
        supplementary_context: version.supplementary_context,
        voice: brand.map(|brand| brand.voice).unwrap_or_default(),
        actions: audience.overrides.apply(actions),
        person: person.map(of_person).transpose()?,
        account: account.map(of_account),
        logs: logs.into_iter().map(of_entry).collect(),
        knowledge: knowledge.into_iter().map(of_chunk).collect(),
        assets: self::assets(assets),
    })
}

fn of_chunk(found: FoundChunk) -> ChunkBrief {
    let chunk = found.chunk;
    ChunkBrief {
        chunk_id: chunk.chunk_id,
        topic_entry_id: found.topic_entry_id.into_string(),
        title: chunk.source_name.unwrap_or(found.topic_title),
        url: chunk.source_url,
        heading: chunk.heading,
        text: chunk.text,
    }
}

/// Assets as agents and editors are told of them.
pub(crate) fn assets(all: Vec<Asset>) -> Vec<AssetBrief> {
    all.into_iter().map(of_asset).collect()
}

fn of_asset(asset: Asset) -> AssetBrief {
    AssetBrief {
        asset_id: asset.asset_id.into_string(),
        kind: asset.asset_type,
        name: asset.name,
        purpose: asset.purpose,
        tags: asset.tags,
        video_url: match asset.data {
            AssetData::Video(url) => Some(url.as_str().to_owned()),
            AssetData::Picture(_) | AssetData::Component(..) => None,
        },
    }
}

fn of_person(person: Person) -> Result<PersonBrief> {
    let context = PersonContext::read(person.context.as_ref())?;
    let columns = context.names().filter_map(|name| Some((name.to_owned(), context.get(name)?.to_owned())));
    Ok(PersonBrief {
        name: person.name,
        email: person.identifiers.email.map(EmailAddress::into_string),
        domain: person.domain.map(Domain::into_string),
        columns: columns.collect(),
    })
}

fn of_account(account: Account) -> AccountBrief {
    AccountBrief { name: account.name, domain: account.domain.into_string() }
}

fn of_entry(entry: Entry) -> LogBrief {
    LogBrief {
        source: entry.source,
        kind: entry.kind,
        at: entry.created_at,
        payload: entry.payload.as_str().to_owned(),
    }
}
