//! The areas of the console, in the order of the side navigation.

use super::icon::Icon;

/// A group of screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Area {
    /// What happened lately and what to do next.
    Start,
    /// Pages, their audiences and versions.
    Pages,
    /// Topics and entries.
    Knowledge,
    /// Pictures and files.
    Assets,
    /// Brands.
    Brands,
    /// Page links and link blocks.
    PageLinks,
    /// The tenant's own host names.
    TenantDomains,
    /// Persons.
    Persons,
    /// Accounts.
    Accounts,
    /// Forms and submissions.
    Forms,
    /// Sessions and sums.
    Visits,
    /// Webhook subscriptions and deliveries.
    Webhooks,
    /// Site, members, keys.
    Settings,
}

/// Areas under one heading; the first group has none.
pub(super) const GROUPS: [(Option<&str>, &[Area]); 5] = [
    (None, &[Area::Start]),
    (Some("areas-content"), &[Area::Pages, Area::Knowledge, Area::Assets, Area::Brands]),
    (Some("areas-addresses"), &[Area::PageLinks, Area::TenantDomains]),
    (Some("areas-people"), &[Area::Persons, Area::Accounts, Area::Forms, Area::Visits]),
    (Some("areas-system"), &[Area::Webhooks, Area::Settings]),
];

impl Area {
    /// Every area, in order.
    pub const ALL: [Area; 13] = [
        Area::Start,
        Area::Pages,
        Area::Knowledge,
        Area::Assets,
        Area::Brands,
        Area::PageLinks,
        Area::TenantDomains,
        Area::Persons,
        Area::Accounts,
        Area::Forms,
        Area::Visits,
        Area::Webhooks,
        Area::Settings,
    ];

    /// What it stands under behind the console's own path; empty for the start.
    pub fn path(self) -> &'static str {
        self.facts().0
    }

    /// The key of its name.
    pub fn key(self) -> &'static str {
        self.facts().1
    }

    /// The letter that leads to it after `g`.
    pub fn letter(self) -> char {
        self.facts().2
    }

    /// Its icon.
    pub fn icon(self) -> Icon {
        self.facts().3
    }

    fn facts(self) -> (&'static str, &'static str, char, Icon) {
        match self {
            Area::Start => ("", "area-start", 's', Icon::Start),
            Area::Pages => ("/pages", "area-pages", 'p', Icon::Page),
            Area::Knowledge => ("/knowledge", "area-knowledge", 'k', Icon::Knowledge),
            Area::Assets => ("/assets", "area-assets", 'a', Icon::Asset),
            Area::Brands => ("/brands", "area-brands", 'b', Icon::Brand),
            Area::PageLinks => ("/links", "area-links", 'l', Icon::Link),
            Area::TenantDomains => ("/domains", "area-domains", 'd', Icon::Domain),
            Area::Persons => ("/persons", "area-persons", 'e', Icon::Person),
            Area::Accounts => ("/accounts", "area-accounts", 'c', Icon::Account),
            Area::Forms => ("/forms", "area-forms", 'f', Icon::Form),
            Area::Visits => ("/visits", "area-visits", 'v', Icon::Visit),
            Area::Webhooks => ("/webhooks", "area-webhooks", 'w', Icon::Webhook),
            Area::Settings => ("/settings", "area-settings", ',', Icon::Settings),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Area, GROUPS};

    #[test]
    fn every_area_is_in_one_group_and_has_a_letter_of_its_own() {
        let grouped: Vec<Area> = GROUPS.iter().flat_map(|(_, areas)| areas.iter().copied()).collect();
        assert_eq!(grouped, Area::ALL);
        let letters: BTreeSet<char> = Area::ALL.iter().map(|area| area.letter()).collect();
        let paths: BTreeSet<&str> = Area::ALL.iter().map(|area| area.path()).collect();
        assert_eq!((letters.len(), paths.len()), (Area::ALL.len(), Area::ALL.len()));
    }
}
