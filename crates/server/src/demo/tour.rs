//! The text that the demo prints: URLs, tokens, and commands to copy.

use pointbook_domain::{Tenant, Timestamp};
use pointbook_shop::DemoPerson;

use super::campaigns;

/// In its commands, `-g` keeps curl from reading brackets as ranges. Double quotes work in every shell, and their content
/// has nothing that a shell would replace.
const TEXT: &str = include_str!("tour.txt");

/// The whole text. It shows the rate limits, because a load test of the demo soon gets 429.
pub(super) fn text(
    (production, staging): (&Tenant, &Tenant),
    people: &[DemoPerson],
    database: &str,
    explained: &str,
) -> String {
    let per_minute = |limit: u32, unit: &str| match limit {
        0 => format!("any number of {unit}"),
        limit => format!("{limit} {unit}"),
    };
    let values = [
        ("{production}", production.base_url.to_string()),
        ("{staging}", staging.base_url.to_string()),
        ("{authority}", production.base_url.authority().to_owned()),
        ("{reads}", per_minute(production.settings.rate_limit_reads_per_minute, "reads")),
        ("{writes}", per_minute(production.settings.rate_limit_writes_per_minute, "writes")),
        ("{database}", database.to_owned()),
        ("{people}", people.iter().map(row).collect()),
        ("{explained}", explained.to_owned()),
        ("{draft}", campaigns::DRAFT.to_owned()),
        ("{year_ago}", day(production.created_at.minus_days(365))),
        ("{today}", day(production.created_at)),
    ];
    values.iter().fold(TEXT.to_owned(), |text, (name, value)| text.replace(name, value))
}

fn day(at: Timestamp) -> String {
    format!("{}T00:00:00Z", at.day())
}

fn row(person: &DemoPerson) -> String {
    let DemoPerson { environment, user, token, shows, .. } = person;
    let (environment, user) = (environment.as_str(), user.as_ref().map_or("-", |user| user.as_str()));
    format!("{environment:<12}{user:<10}{token:<20}{shows}\n")
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build;

    use super::*;
    use crate::sample::people::introduced;

    #[test]
    fn text_shows_the_configured_rate_limits() {
        let mut tenant = build::tenant("acme");
        let printed = text((&tenant, &tenant), &[], "sqlite:demo.db", "t1");
        let line = "\nEach user may send 1200 reads and 120 writes a minute, and gets 429 beyond that. The back office has no limit.\n";
        assert!(printed.contains(line), "{printed}");
        tenant.settings.rate_limit_writes_per_minute = 0;
        let printed = text((&tenant, &tenant), &[], "sqlite:demo.db", "t1");
        assert!(printed.contains(" 1200 reads and any number of writes a minute"), "{printed}");
    }

    #[test]
    fn text_shows_every_person_with_a_token() {
        let (tenant, people) = (build::tenant("acme"), introduced().unwrap());
        let printed = text((&tenant, &tenant), &people, "sqlite:demo.db", "t1");
        let heading = "\nenvironment user      token               shows\n";
        let (_, table) = printed.split_once(heading).unwrap();
        let rows: Vec<_> = table.lines().take_while(|line| !line.is_empty()).collect();
        assert_eq!(rows.len(), people.len());
        assert_eq!(
            rows[0],
            "production  mia       demo-mia            a new user: no transactions, no points"
        );
        assert!(rows.iter().all(|row| row.len() > 42), "{rows:?}");
    }
}
