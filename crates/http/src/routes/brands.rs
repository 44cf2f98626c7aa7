//! Brands: how pages look and speak.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::brands::{self, preview};
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/brands", brands::list_brands, Read),
        row!(POST "/v0/brands", brands::create_brand, Write),
        row!(POST "/v0/brands/from_website", brands::propose_brand, Write),
        row!(POST "/v0/brands/preview", preview::preview_brand, Read),
        row!(GET "/v0/brands/search", brands::search_brands, Read),
        row!(GET "/v0/brands/{brand_id}", brands::get_brand, Read),
        row!(PATCH "/v0/brands/{brand_id}", brands::update_brand, Write),
        row!(DELETE "/v0/brands/{brand_id}", brands::delete_brand, Write),
    ];
    Group { name: "Brands", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A brand defines how pages look (colours, fonts, spacing, logo), their tone of voice, and the links in their last line. A page \
    names its brand by `brandId`. Pages that name none have the tenant's default brand, which the settings of the site show as \
    `brand`.";
