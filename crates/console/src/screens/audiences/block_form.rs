//! The form of a block, beside the preview: of one that is there, and of a new one.
//!
//! The form holds the block as it was read. What differs from it is sent, with what stood there as a lock: where somebody else has changed the same
//! field meanwhile, the form comes back with both values, and nothing is lost.

use axum::http::StatusCode;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::blocks::edit::{canonical, errors, merged, operations, resized, shown as readable};
use super::blocks::words::{BlockFormLayout, COMPONENTS, component, first_words, purpose};
use super::{api_path, blocks, conversation, frame, path, preview};
use crate::client::{Refused, segment};
use crate::json::text;
use crate::parts::field::Choice;
use crate::parts::form::FormError;
use crate::parts::navigation::Area;
use crate::parts::schema_form::{SchemaForm, cleaned};
use crate::screens::{offered, pages};
use crate::visit::{Drawn, Screen, Visit};

/// What surrounds the form of a block.
struct Scene {
    page: Value,
    audience: Value,
    version: Value,
    blocks: Vec<Value>,
    actions: Vec<Choice>,
    pictures: Vec<Choice>,
}

impl Scene {
    async fn read(visit: &Visit) -> Result<Scene, Refused> {
        let api = api_path(visit);
        let audience = visit.api.get(&api).await?.body;
        let page = visit.api.get(&pages::api_path(visit)).await?.body;
        let versions = visit.api.get(&format!("{api}/versions")).await?.body;
        let version = blocks::version(&versions);
        let blocks = blocks::of_version(visit, &version).await?;
        let pictures = offered::named(&offered::pictures(visit).await?, "assetId");
        let actions = offered::actions(&page);
        Ok(Scene { page, audience, version, blocks, actions, pictures })
    }

    fn layout<'a>(&self, visit: &'a Visit) -> BlockFormLayout<'a> {
        BlockFormLayout { visit, actions: self.actions.clone(), pictures: self.pictures.clone() }
    }
}

/// What a form shows.
struct BlockFormState<'a> {
    /// The block as it was read; nothing for a new one.
    from: Option<&'a Value>,
    /// The block with what was entered.
    block: &'a Value,
    /// The id of the block before it.
    after: Option<&'a str>,
    errors: Vec<FormError>,
    focus: Option<String>,
    status: Option<StatusCode>,
}

async fn screen(visit: &Visit, scene: &Scene, shown: BlockFormState<'_>) -> Result<Screen, Refused> {
    let here = visit.url(&path(visit));
    let kind = text(shown.block, "type");
    let block_id = shown.from.map(blocks::id);
    let base = match block_id {
        Some(id) => format!("{here}/blocks/{}", segment(id)),
        None => format!("{here}/add-block"),
    };
    let name = component(visit.words, kind);
    let Some(schema) = SchemaForm::component(kind) else {
        return Err(Refused::new(StatusCode::NOT_FOUND, "There is no such component."));
    };
    let layout = scene.layout(visit);
    let drawn = SchemaForm::new(schema, &layout).draw(
        "block",
        shown.block,
        (&shown.errors, shown.focus.as_deref()),
        visit.words,
    );
    let main = html! {
        div.beside {
            div.stack {
                (places(visit, &scene.blocks, block_id, &here))
                p.help { (purpose(visit.words, kind)) }
                form.form #block method="post" action=(base) novalidate data-unsaved=(visit.text("unsaved"))
                    data-dirty[shown.status.is_some() || shown.focus.is_some()] {
                    @if let Some(from) = shown.from { input type="hidden" name="from" value=(from); }
                    @else { input type="hidden" name="type" value=(kind); }
                    input type="hidden" name="after" value=(shown.after.unwrap_or_default());
                    (drawn)
                    div.form-end {
                        button.button.primary type="submit" { @if shown.from.is_some() { (visit.text("save")) } @else { (visit.text("block-add")) } }
                        a.button href=(here) { (visit.text("cancel")) }
                    }
                }
                @if let Some(id) = block_id {
                    section.conversation aria-labelledby="say-title" {
                        h2 #say-title { (visit.text("say-of-block")) }
                        (conversation::say_form(visit, &here, Some((id, visit.asked("element").as_deref())), None))
                    }
                }
            }
            (frame(visit, preview(visit, &scene.version).await?.as_deref(), &base, block_id))
        }
    };
    let title = match block_id {
        Some(_) => format!("{name}: {}", first_words(shown.block)),
        None => visit.words.with("add-item", &[("name", name.into())]),
    };
    let mut screen = Screen::new(Area::Pages, title, main)
        .below(text(&scene.page, "name"), visit.url(&pages::path(visit)))
        .below(text(&scene.audience, "effectiveName"), here);
    screen.frames = Some((visit.installation.site_origin)(&visit.tenant.slug));
    let issues = shown.errors.iter().map(|error| (error.name.clone(), error.message.clone())).collect();
    screen.refused = shown.status.map(|status| Refused { issues, ..Refused::new(status, "") });
    Ok(screen)
}

/// Links to all blocks: a click in the preview follows one of them.
fn places(visit: &Visit, blocks: &[Value], current: Option<&str>, here: &str) -> Markup {
    html! {
        details {
            summary { (visit.text("content-blocks")) }
            ol.plain {
                @for block in blocks {
                    li data-block=(blocks::id(block)) {
                        a href={ (here) "/blocks/" (segment(blocks::id(block))) } aria-current=[(current == Some(blocks::id(block))).then_some("true")] {
                            (component(visit.words, text(block, "type"))) " " bdi { (first_words(block)) }
                        }
                    }
                }
            }
        }
    }
}

/// The form of a block.
pub(crate) async fn show(visit: Visit) -> Result<Drawn, Refused> {
    let scene = Scene::read(&visit).await?;
    let Some((block, after)) = blocks::find(&scene.blocks, visit.id("block_id")) else {
        return Err(Refused::new(StatusCode::NOT_FOUND, &visit.text("block-gone")));
    };
    let shown = BlockFormState { from: Some(block), block, after, errors: vec![], focus: None, status: None };
    screen(&visit, &scene, shown).await.map(Drawn::from)
}

/// Saves what was entered into the form of a block, or only changes its lists.
pub(crate) async fn update(visit: Visit) -> Result<Drawn, Refused> {
    let scene = Scene::read(&visit).await?;
    let from: Value = serde_json::from_str(visit.entered.text("from")).unwrap_or_default();
    if blocks::id(&from) != visit.id("block_id") {
        return Err(Refused::new(StatusCode::BAD_REQUEST, &visit.text("form-broken")));
    }
    let schema = SchemaForm::component(text(&from, "type"));
    let schema = schema.ok_or_else(|| Refused::new(StatusCode::BAD_REQUEST, &visit.text("form-broken")))?;
    let layout = scene.layout(&visit);
    let mut entered = SchemaForm::new(schema, &layout).read(&visit.entered.0, &from);
    let after = visit.entered.some("after");
    if visit.entered.is_on("do") {
        let focus = SchemaForm::rearranged(&visit.entered.0, &mut entered);
        let shown =
            BlockFormState { from: Some(&from), block: &entered, after, errors: vec![], focus, status: None };
        return screen(&visit, &scene, shown).await.map(Drawn::from);
    }
    let to = canonical(&resized(cleaned(&entered), &from));
    let operations = operations(&from, &to, after);
    if operations.is_empty() {
        return Ok(visit.moved(&path(&visit)));
    }
    let refused = match blocks::edit(&visit, &operations).await {
        Ok(drawn) => return Ok(drawn),
        Err(refused) => refused.mendable()?,
    };
    if refused.status != StatusCode::CONFLICT {
        let errors = told_errors(&operations, &refused);
        let status = Some(refused.status);
        let shown = BlockFormState { from: Some(&from), block: &entered, after, errors, focus: None, status };
        return screen(&visit, &scene, shown).await.map(Drawn::from);
    }
    crossed(&visit, (&from, &to), &refused).await
}

/// The form again after somebody else has changed the same block: with what both have changed.
async fn crossed(visit: &Visit, (from, to): (&Value, &Value), refused: &Refused) -> Result<Drawn, Refused> {
    let scene = Scene::read(visit).await?;
    let general = |message: String| vec![FormError { name: String::new(), message }];
    let Some((now, before)) = blocks::find(&scene.blocks, visit.id("block_id")) else {
        // It was removed: what was entered can be put in again as a new block.
        let errors = general(visit.text("block-gone-kept"));
        let mut new = to.clone();
        if let Some(fields) = new.as_object_mut() {
            fields.remove("blockId");
        }
        let last = scene.blocks.last().map(blocks::id);
        let shown = BlockFormState {
            from: None,
            block: &new,
            after: last,
            errors,
            focus: None,
            status: Some(refused.status),
        };
        return screen(visit, &scene, shown).await.map(Drawn::from);
    };
    let (both, crossed) = merged(from, to, now);
    let error = |(name, value): &(String, Value)| {
        let message = visit.words.with("block-field-crossed", &[("value", readable(value).into())]);
        FormError { name: name.clone(), message }
    };
    let mut errors: Vec<FormError> = crossed.iter().map(error).collect();
    if errors.is_empty() {
        errors = general(refused.detail.clone());
    }
    let shown = BlockFormState {
        from: Some(now),
        block: &both,
        after: before,
        errors,
        focus: None,
        status: Some(refused.status),
    };
    screen(visit, &scene, shown).await.map(Drawn::from)
}

fn told_errors(operations: &[Value], refused: &Refused) -> Vec<FormError> {
    let errors = errors(operations, &refused.issues);
    if errors.is_empty() {
        vec![FormError { name: String::new(), message: refused.detail.clone() }]
    } else {
        errors
    }
}

/// Which component a new block is to be, or the form of one.
pub(crate) async fn new(visit: Visit) -> Result<Drawn, Refused> {
    let scene = Scene::read(&visit).await?;
    let after = visit.asked("after");
    let Some(kind) = visit.asked("type").filter(|kind| COMPONENTS.contains(&kind.as_str())) else {
        return Ok(chooser(&visit, &scene, after.as_deref()).into());
    };
    let Some(schema) = SchemaForm::component(&kind) else {
        return Ok(chooser(&visit, &scene, after.as_deref()).into());
    };
    let layout = scene.layout(&visit);
    let block = SchemaForm::new(schema, &layout).blank(&json!({ "type": kind }));
    let shown = BlockFormState {
        from: None,
        block: &block,
        after: after.as_deref(),
        errors: vec![],
        focus: None,
        status: None,
    };
    screen(&visit, &scene, shown).await.map(Drawn::from)
}

fn chooser(visit: &Visit, scene: &Scene, after: Option<&str>) -> Screen {
    let here = visit.url(&path(visit));
    let main = html! {
        p { (visit.text("block-add-text")) }
        ul.choices {
            @for kind in COMPONENTS {
                li {
                    a href={ (here) "/add-block?type=" (kind) "&after=" (segment(after.unwrap_or_default())) } { (component(visit.words, kind)) }
                    p.help { (purpose(visit.words, kind)) }
                }
            }
        }
    };
    Screen::new(Area::Pages, visit.text("block-add"), main)
        .below(text(&scene.page, "name"), visit.url(&pages::path(visit)))
        .below(text(&scene.audience, "effectiveName"), here)
}

/// Adds a block, or only changes the lists of its form.
pub(crate) async fn create(visit: Visit) -> Result<Drawn, Refused> {
    let scene = Scene::read(&visit).await?;
    let kind = visit.entered.text("type");
    let Some(schema) = SchemaForm::component(kind) else {
        return Ok(chooser(&visit, &scene, visit.entered.some("after")).into());
    };
    let layout = scene.layout(&visit);
    let mut entered = SchemaForm::new(schema, &layout).read(&visit.entered.0, &json!({ "type": kind }));
    let after = visit.entered.some("after");
    let mut shown =
        BlockFormState { from: None, block: &entered, after, errors: vec![], focus: None, status: None };
    if visit.entered.is_on("do") {
        let focus = SchemaForm::rearranged(&visit.entered.0, &mut entered);
        let shown =
            BlockFormState { from: None, block: &entered, after, errors: vec![], focus, status: None };
        return screen(&visit, &scene, shown).await.map(Drawn::from);
    }
    let block = canonical(&cleaned(&entered));
    let operations = [json!({ "operation": "insert", "block": block, "after": after })];
    match blocks::edit(&visit, &operations).await {
        Ok(drawn) => Ok(drawn),
        Err(refused) => {
            let refused = refused.mendable()?;
            // Where the block before it is gone, the new one goes to the end.
            shown.after = if refused.status == StatusCode::CONFLICT {
                scene.blocks.last().map(blocks::id)
            } else {
                after
            };
            shown.errors = told_errors(&operations, &refused);
            shown.status = Some(refused.status);
            screen(&visit, &scene, shown).await.map(Drawn::from)
        }
    }
}
