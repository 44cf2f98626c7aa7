//! Link blocks: links that pages share.

use pagesmith_model::key::Scope::{Read, Write};

use crate::api::link_blocks;
use crate::table::{Group, row};

/// The group with its routes.
pub(super) fn group() -> Group {
    let routes = vec![
        row!(GET "/v0/page_link_blocks", link_blocks::list_page_link_blocks, Read),
        row!(POST "/v0/page_link_blocks", link_blocks::create_page_link_block, Write),
        row!(GET "/v0/page_link_blocks/{page_link_block_id}", link_blocks::get_page_link_block, Read),
        row!(PATCH "/v0/page_link_blocks/{page_link_block_id}", link_blocks::update_page_link_block, Write),
        row!(DELETE "/v0/page_link_blocks/{page_link_block_id}", link_blocks::delete_page_link_block, Write),
    ];
    Group { name: "Page Link Blocks", description: DESCRIPTION, routes }
}

const DESCRIPTION: &str = "\
    A link block holds the links of a navigation or of a footer that several pages share. A page names \
    its blocks by `navLinkBlockId` and `footerLinkBlockId`, and shows their links in place of its own. \
    When a block changes, all of its pages change with it.";
