//! Assets: what pages may show.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::assets;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/assets", assets::list_assets, Read),
        row!(POST "/v0/assets", assets::create_asset, Write),
        row!(GET "/v0/assets/search", assets::search_assets, Read),
        row!(GET "/v0/assets/trash", assets::list_trashed_assets, Read),
        row!(GET "/v0/assets/{asset_id}", assets::get_asset, Read),
        row!(PATCH "/v0/assets/{asset_id}", assets::update_asset, Write),
        row!(DELETE "/v0/assets/{asset_id}", assets::delete_asset, Write),
        row!(POST "/v0/assets/{asset_id}/restore", assets::restore_asset, Write),
    ];
    Group { name: "Assets", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    An asset is something that pages may show: a picture, a logo or an icon, which are files; a video at YouTube; or a \
    component of the tenant's own. Its name, purpose and tags say what it is for. A deleted asset is in the trash for thirty days.";
