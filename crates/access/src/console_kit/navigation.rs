//! The sections of the console in their groups, and how many things wait in each.

use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;

use pointbook_domain::{Role, Scope, TenantSettings, Timestamp};
use pointbook_store::schema::{Query, Table};
use pointbook_store::{ServedTenant, StoreResult, TenantState};

use crate::console_kit::icons::Icon;
use crate::console_kit::page_spec::Access;

/// Sections with a common heading.
pub struct Group {
    /// The id of the heading. The first group has none.
    pub name: Option<&'static str>,
    pub sections: &'static [Section],
}

/// A section in the navigation.
pub struct Section {
    /// The path below the console of the tenant.
    pub path: &'static str,
    /// The id of its name.
    pub name: &'static str,
    pub icon: Icon,
    /// The letter that opens it after `g`.
    pub letter: char,
    pub access: Access,
}

const fn section(
    path: &'static str,
    name: &'static str,
    icon: Icon,
    letter: char,
    access: Access,
) -> Section {
    Section { path, name, icon, letter, access }
}

/// The groups, in the order of the navigation.
pub const GROUPS: [Group; 5] = [
    Group {
        name: None,
        sections: &[
            section("", "overview", Icon::Overview, 'v', Access::Scope(Scope::ReportsRead)),
            section("/orders", "orders", Icon::Orders, 'o', Access::Scope(Scope::OrdersRead)),
        ],
    },
    Group {
        name: Some("group-catalogue"),
        sections: &[
            section("/products", "products", Icon::Products, 'p', Access::Scope(Scope::ProductsRead)),
            section("/categories", "categories", Icon::Categories, 't', Access::Scope(Scope::ProductsRead)),
            section("/imports", "imports", Icon::Imports, 'i', Access::Scope(Scope::ProductsWrite)),
        ],
    },
    Group {
        name: Some("group-programme"),
        sections: &[
            section("/campaigns", "campaigns", Icon::Campaigns, 'c', Access::Scope(Scope::CampaignsRead)),
            section("/members", "members", Icon::Members, 'm', Access::Scope(Scope::UsersRead)),
            section(
                "/segments",
                "segments",
                Icon::Segments,
                'g',
                Access::Both(Scope::ReportsRead, Scope::UsersRead),
            ),
        ],
    },
    Group {
        name: Some("group-insight"),
        sections: &[
            section("/reports", "reports", Icon::Reports, 'r', Access::Scope(Scope::ReportsRead)),
            section("/audit-log", "audit-log", Icon::Audit, 'a', Access::Scope(Scope::AuditRead)),
            section("/events", "events", Icon::Events, 'e', Access::Scope(Scope::EventsRead)),
        ],
    },
    Group {
        name: Some("group-system"),
        sections: &[
            section("/settings", "settings", Icon::Settings, 's', Access::Owner),
            section("/operators", "operators", Icon::Operators, 'n', Access::Owner),
            section("/keys", "keys", Icon::Keys, 'k', Access::Scope(Scope::KeysWrite)),
            section("/webhooks", "webhooks", Icon::Webhooks, 'w', Access::Scope(Scope::WebhooksWrite)),
            section("/health", "health", Icon::Health, 'h', Access::Scope(Scope::AuditRead)),
        ],
    },
];

/// The sections that a role may see, in the order of the navigation.
pub fn sections(role: Role) -> impl Iterator<Item = &'static Section> {
    GROUPS.iter().flat_map(|group| group.sections).filter(move |section| section.access.admits(role))
}

/// The section at this path.
pub fn section_at(path: &str) -> Option<&'static Section> {
    GROUPS.iter().flat_map(|group| group.sections).find(|section| section.path == path)
}

/// How many things a section has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub number: u64,
    /// The id of what it says of the number beyond "so many": that they wait, run or fail.
    pub meaning: Option<&'static str>,
    /// Whether someone has to do something about them.
    pub is_due: bool,
}

impl Count {
    pub fn of(number: u64) -> Self {
        Self { number, meaning: None, is_due: false }
    }
}

/// Counts the rows of a table.
pub fn rows<'r>(served: &'r ServedTenant, table: &'static Table) -> Counting<'r> {
    Box::pin(async move {
        let number = served.data.count(&Query::of_table("count_section", table)).await?;
        Ok(Some(Count::of(number)))
    })
}

/// What waits for someone, with the id of what it does. Nothing when nothing waits.
pub fn due(number: u64, meaning: &'static str) -> Option<Count> {
    (number > 0).then_some(Count { number, meaning: Some(meaning), is_due: true })
}

pub type Counting<'r> = Pin<Box<dyn Future<Output = StoreResult<Option<Count>>> + Send + 'r>>;

/// Counts what a section of a tenant has. `None` when there is nothing to say.
pub type CountOf = for<'r> fn(&'r ServedTenant, Timestamp) -> Counting<'r>;

/// How long counts are shown before they are read again, in seconds. Each page shows all of them.
const FRESH_SECONDS: u32 = 10;

/// The counts of a tenant, by the paths of the sections, as they were last read.
pub type Counts = Vec<(&'static str, Count)>;

#[derive(Default)]
pub(crate) struct KnownCounts(Mutex<Option<(Timestamp, Counts)>>);

impl TenantState for KnownCounts {
    fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
        Self::default()
    }
}

impl KnownCounts {
    /// The counts, which are read again when they are old. A count that the store cannot give is left out. `now` is real time: a virtual
    /// clock may stand still.
    pub(crate) async fn get(
        &self,
        counted: &[(&'static str, CountOf)],
        served: &ServedTenant,
        now: Timestamp,
    ) -> Counts {
        let known = self.0.lock().map(|known| known.clone()).unwrap_or_default();
        if let Some((_, counts)) = known.filter(|(at, _)| *at <= now && now < at.plus_seconds(FRESH_SECONDS))
        {
            return counts;
        }
        let mut counts = Counts::new();
        for (path, count) in counted {
            counts.extend(count(served, now).await.ok().flatten().map(|count| (*path, count)));
        }
        if let Ok(mut known) = self.0.lock() {
            *known = Some((now, counts.clone()));
        }
        counts
    }

    /// The next page reads them again.
    pub(crate) fn forget(&self) {
        if let Ok(mut known) = self.0.lock() {
            *known = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn letters_and_paths_are_of_one_section() {
        let all: Vec<_> = GROUPS.iter().flat_map(|group| group.sections).collect();
        let letters: BTreeSet<char> = all.iter().map(|section| section.letter).collect();
        let paths: BTreeSet<&str> = all.iter().map(|section| section.path).collect();
        assert_eq!((letters.len(), paths.len()), (all.len(), all.len()));
    }
}
