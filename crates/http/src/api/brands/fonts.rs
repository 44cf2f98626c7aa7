//! Fonts that a look names are read before it is kept, so that no brand has a file that is none.

use futures_util::TryStreamExt;
use pagesmith_model::brand::Look;
use pagesmith_model::brand::font::{BrandFont, FontFacts, LARGEST_FONT};
use pagesmith_model::file::File;
use pagesmith_model::{Error, Issue, IssueCode, Result};
use pagesmith_operations::brands::fonts::{self, FontReading};

use crate::extract::Call;

/// For how many requests of a tenant fonts are read at a time.
const LOOKS_PER_TENANT: usize = 2;
/// What is said of a file that is too large to be read.
const TOO_LARGE: &str = "The font has more than 1 MiB.";

/// Reads the fonts of a look, which is in this field of the body. A file that is not there is left to the change that follows.
pub(crate) async fn read(call: &Call, look: &Look, field: &str) -> Result<Vec<BrandFont>> {
    if look.font_files().next().is_none() {
        return Ok(vec![]);
    }
    let _permit = call.permit(&call.state.fonts_in_flight, LOOKS_PER_TENANT, 1, |limit| {
        format!("The fonts of {limit} looks of the tenant are being read already.")
    })?;
    let reader = call.state.fonts.get();
    let reader = reader.ok_or_else(|| Error::unavailable("This server reads no fonts."))?;
    let named = look.clone();
    let files = call.point_read(move |tx, ctx| fonts::files_of(tx, ctx, &named)).await?;
    let (mut read, mut issues) = (Vec::with_capacity(files.len()), Vec::new());
    for file in files {
        match facts(call, reader.as_ref(), &file).await? {
            Ok(facts) => read.push(fonts::font(&file, facts)),
            Err(reason) => issues.extend(refused(look, field, &file, &reason)),
        }
    }
    if issues.is_empty() { Ok(read) } else { Err(Error::invalid(issues)) }
}

/// What the file of a font says, or why it says nothing.
async fn facts(call: &Call, reader: &dyn FontReading, file: &File) -> Result<Result<FontFacts, String>> {
    if file.size > LARGEST_FONT {
        return Ok(Err(TOO_LARGE.to_owned()));
    }
    let bytes = call.state.files.read(&call.ctx.tenant, &file.content_id, 0..file.size).await?;
    let bytes = bytes.try_fold(Vec::new(), |mut all, some| async move {
        all.extend_from_slice(&some);
        Ok(all)
    });
    Ok(reader.read(bytes.await?).await)
}

/// An issue for each place that names the file.
fn refused(look: &Look, field: &str, file: &File, reason: &str) -> Vec<Issue> {
    let places = fonts::places(look).into_iter().filter(|(_, _, id)| *id == file.file_id.as_str());
    let issue = |(list, at, id): (&str, usize, &str)| {
        let path = [field, list, &at.to_string(), "fileId"];
        let message = format!("{}: '{id}' cannot be used. {reason}", path.join("."));
        Issue::body(IssueCode::InvalidValue, &path, message)
    };
    places.map(issue).collect()
}
