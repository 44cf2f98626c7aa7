//! Messages that the offline editor carries out: what it is given, and what it makes of a message.

use pagesmith_editor::{Head, Material, Offer, Reply, Request, Selection, edit};
use pagesmith_model::Result;
use pagesmith_model::asset::AssetType;
use pagesmith_model::brief::{AssetBrief, Brief};
use pagesmith_model::content::part::Picture;
use pagesmith_operations::messages::draft::head_of;
use pagesmith_operations::messages::runs::Turn;
use pagesmith_template_agent::pictures::alt_text;

use crate::generation::brief;

/// What the offline editor makes of a message.
pub(super) async fn answer(turn: Box<Turn>) -> Result<(Box<Turn>, Reply)> {
    super::computed(move || {
        let brief = brief::of(turn.material.clone(), Vec::new())?;
        let reply = edited(&turn, &brief)?;
        Ok((turn, reply))
    })
    .await
}

/// The same with the brief of its page.
pub(super) fn edited(turn: &Turn, brief: &Brief) -> Result<Reply> {
    let page = head_of(turn.material.page.metadata.as_ref())?;
    let written = pagesmith_template_agent::compose(brief);
    let head = &turn.document.content.head;
    let label = |action: &pagesmith_model::page::action::Action| {
        let text = action.button_title().or(action.purpose()).unwrap_or_default();
        (action.id().to_owned(), text.to_owned())
    };
    let material = Material {
        actions: brief.actions.iter().map(label).collect(),
        offers: brief::assets(turn.pictures.clone()).iter().filter_map(offer).collect(),
        head: Head {
            title: page.title.or_else(|| head.title.clone()),
            description: page.description.or_else(|| head.description.clone()),
            keywords: page.keywords,
        },
        ..Material::of_blocks(written.blocks)
    };
    let selection = selection(turn);
    Ok(edit(&Request {
        message: &turn.message.content,
        document: &turn.document,
        selection: selection.as_ref(),
        material: &material,
        last: &turn.last,
    }))
}

/// A picture of the tenant's that can be asked for.
fn offer(asset: &AssetBrief) -> Option<Offer> {
    if !matches!(asset.kind, AssetType::Image | AssetType::Logo) || asset.video_url.is_some() {
        return None;
    }
    let picture =
        Picture { asset_id: Some(asset.asset_id.clone()), alt_text: alt_text(asset), ..Picture::default() };
    let words = [&asset.name, &asset.purpose].into_iter().chain(&asset.tags).cloned().collect();
    Some(Offer { picture, name: asset.name.clone(), words })
}

/// What is selected, as editors see it.
pub(super) fn selection(turn: &Turn) -> Option<Selection> {
    turn.selection.as_ref().map(|selected| Selection {
        block_id: selected.block_id.clone(),
        path: selected.json_path.clone().filter(|path| path.starts_with('/')),
    })
}
