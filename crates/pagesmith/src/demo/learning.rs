//! What the example knows: a data sheet as a PDF and a page of a website, both made for it and parts of the program; and the font of its brand,
//! Manrope, whose licence is beside it.
//!
//! The website is served on a port of this machine for as long as it takes to read it. Reading may go there by a gateway of its own, which
//! no other work has: the server itself calls no address of this machine. Invariant: a tenant that has the third page, or somebody else's, is
//! left as it is.

use std::time::Duration;

use pagesmith_file_storage::media_type;
use pagesmith_model::Error;
use pagesmith_model::FileContentId;
use pagesmith_model::brand::font::{FontFacts, FontFile};
use pagesmith_model::brand::{BrandPatch, Look};
use pagesmith_model::file::{File, FileName};
use pagesmith_model::network::Networks;
use pagesmith_operations::brands::fonts::FontReading as _;
use pagesmith_operations::context::TenantContext;
use pagesmith_operations::files::{self, StoredBytes};
use pagesmith_operations::precondition::Precondition;
use pagesmith_operations::topics::{self, entries};
use pagesmith_operations::{assets, audiences, brands, pages, tenants};
use pagesmith_store::{Tx, tables};
use pagesmith_worker::egress::{self, Egress};
use pagesmith_worker::limited_process::documents::DocumentReader;
use pagesmith_worker::limited_process::fonts::FontReader;
use pagesmith_worker::reading::ReadingConfig;
use pagesmith_worker::tools::Tools;
use pagesmith_worker::{knowledge, pictures, reading};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{MANY, Story, read, request, take};
use crate::failure::{Failure, Result};

const DATA_SHEET: (&str, &[u8]) = ("data-sheet.pdf", include_bytes!("data-sheet.pdf"));
const FONT: (&str, &[u8]) = ("manrope.woff2", include_bytes!("manrope.woff2"));
const WEBSITE: &str = include_str!("website.html");
/// The pictures of assets, by what the story calls them.
const PICTURES: [(&str, &[u8]); 2] =
    [("cold-room.png", include_bytes!("cold-room.png")), ("gateway.png", include_bytes!("gateway.png"))];
/// The only address of the website.
const PATH: &str = "/sensors";
/// How long a reader of the website may take to ask.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// Has the example's knowledge read, and makes the page that is made with it, unless that is there.
pub async fn learn(tools: &Tools, limits: &pagesmith_http::state::FileLimits) -> Result<()> {
    let (story, quota) = (read()?, limits.quota);
    let (slug, context) = (story.tenant.slug.clone(), tools.context());
    let (ctx, count) = tools
        .store
        .read(move |tx| {
            let ctx = context.of(tenants::find(tx, &slug)?.tenant_id);
            let count = tables::pages::stamps::list(tx, &ctx.tenant, None, MANY)?.items.len();
            Ok((ctx, count))
        })
        .await?;
    if count != story.pages.len() {
        return Ok(());
    }
    let mut stored = Vec::new();
    for (name, bytes) in [DATA_SHEET, FONT].iter().chain(&PICTURES) {
        stored.push(store(tools, &ctx, name, bytes).await?);
    }
    let font =
        FontReader::like(&tools.reading.documents).read(FONT.1.to_vec()).await.map_err(Failure::new)?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = format!("http://{}{PATH}", listener.local_addr()?);
    let website = tokio::spawn(serve(listener));
    let of = ctx.clone();
    let told = tools
        .store
        .write(move |tx| {
            let made = keep(tx, &of, &stored, quota)?;
            wear(tx, &of, &made, &font)?;
            create_entries(tx, &of, &read_again()?, &made, &address)
        })
        .await;
    let learned = match told {
        Ok(()) => learned(tools).await,
        Err(error) => Err(error.into()),
    };
    website.abort();
    learned?;
    tools.store.write(move |tx| publish(tx, &ctx, &story.known_page)).await?;
    Ok(())
}

/// The story within a transaction.
fn read_again() -> pagesmith_model::Result<Story> {
    read().map_err(|_| Error::internal("the example is broken"))
}

/// Puts bytes where files are.
async fn store(tools: &Tools, ctx: &TenantContext, name: &str, bytes: &[u8]) -> Result<StoredBytes> {
    let (name, content_id) = (FileName::of(name), FileContentId::mint(ctx.uuid()?));
    let mut upload = tools.files.begin(&ctx.tenant, &content_id);
    upload.write(bytes).await?;
    upload.finish().await?;
    Ok(StoredBytes {
        content_type: media_type::of(bytes, &name).to_owned(),
        size: u64::try_from(bytes.len()).map_err(|_| Failure::new("the example is too large".to_owned()))?,
        sha256: Sha256::digest(bytes).into(),
        content_id,
        name,
    })
}

/// Makes files.
fn keep(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    stored: &[StoredBytes],
    quota: u64,
) -> pagesmith_model::Result<Vec<File>> {
    stored.iter().map(|bytes| files::create(tx, ctx, bytes, quota)).collect()
}

/// Gives the brand its font.
fn wear(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    made: &[File],
    facts: &FontFacts,
) -> pagesmith_model::Result<()> {
    let file = made.iter().find(|file| file.name.as_str() == FONT.0);
    let Some((brand, file)) = tables::brands::default(tx, &ctx.tenant)?.zip(file) else { return Ok(()) };
    let named = FontFile { file_id: file.file_id.to_string(), weight: None, style: None };
    let look = Look { body_font_files: vec![named], ..brand.look };
    let patch = BrandPatch { look: Some(look), ..BrandPatch::default() };
    let fonts = vec![brands::fonts::font(file, facts.clone())];
    brands::update(tx, ctx, &brand.brand_id, (&patch, fonts), &Precondition::Unconditional).map(drop)
}

/// Makes entries and assets.
fn create_entries(
    tx: &mut Tx<'_>,
    ctx: &TenantContext,
    story: &Story,
    made: &[File],
    address: &str,
) -> pagesmith_model::Result<()> {
    let file =
        |name: &str| made.iter().find(|file| file.name.as_str() == name).map(|file| file.file_id.as_str());
    let topic =
        topics::create(tx, ctx, &request(&json!({ "title": story.knowledge.topic }))?)?.topic.topic_id;
    let sheet = json!({ "type": "file", "fileId": file(DATA_SHEET.0), "aiSummary": null });
    let website = json!({ "type": "url", "url": address, "name": null, "icon": null, "aiSummary": null });
    for content in [sheet, website] {
        entries::create(tx, ctx, &topic, &request(&json!({ "content": content }))?)?;
    }
    for body in &story.assets {
        let mut body = body.clone();
        let picture = take(&mut body, "picture");
        body["fileId"] = json!(file(&format!("{}.png", picture.as_str().unwrap_or_default())));
        assets::create(tx, ctx, &request(&body)?)?;
    }
    Ok(())
}

/// Reads and indexes what was told, and makes the variants of its pictures.
async fn learned(tools: &Tools) -> Result<()> {
    let here: Networks = "127.0.0.1".parse().map_err(|_| Failure::new("no network".to_owned()))?;
    let egress = Egress::new(&egress::Options::new(here));
    let reading = ReadingConfig::new(egress, DocumentReader::of_this_program());
    let tools = Tools { reading, ..tools.clone() };
    reading::drain(&tools).await?;
    knowledge::drain(&tools).await?;
    pictures::drain(&tools).await?;
    Ok(())
}

fn publish(tx: &mut Tx<'_>, ctx: &TenantContext, page: &Value) -> pagesmith_model::Result<()> {
    let page = pages::create(tx, ctx, &pages::prepare(ctx, request(page)?)?)?;
    audiences::create(
        tx,
        ctx,
        &page.page_id,
        &request(&json!({ "customName": "Made with a PDF and a website" }))?,
    )?;
    Ok(())
}

/// Answers whoever reads the website, one after the other.
async fn serve(listener: TcpListener) {
    while let Ok((mut stream, _)) = listener.accept().await {
        // Whoever breaks off wants nothing.
        let _ = tokio::time::timeout(TIME_LIMIT, answer(&mut stream)).await;
    }
}

async fn answer(stream: &mut TcpStream) -> std::io::Result<()> {
    let mut head = Vec::new();
    let mut part = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < 16 * 1024 {
        match stream.read(&mut part).await? {
            0 => return Ok(()),
            count => head.extend_from_slice(&part[..count]),
        }
    }
    let is_page = head.starts_with(format!("GET {PATH} ").as_bytes());
    let (status, body) = if is_page { ("200 OK", WEBSITE) } else { ("404 Not Found", "") };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
