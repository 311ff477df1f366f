//! What the demo prints: where it is, who may ask, and lines to be copied into a terminal.

use pointbook_domain::Tenant;

/// In its lines, `-g` keeps curl from reading brackets as ranges; double quotes work in every shell, and hold nothing
/// that any of them would replace.
const TEXT: &str = include_str!("tour.txt");

/// The whole text. A load test of the demo meets 429 soon, so the limits are told as they are set.
pub(super) fn text(production: &Tenant, staging: &Tenant, database: &str) -> String {
    let per_minute = |limit: u32, what: &str| match limit {
        0 => format!("any number of {what}"),
        limit => format!("{limit} {what}"),
    };
    let values = [
        ("{production}", production.base_url.to_string()),
        ("{staging}", staging.base_url.to_string()),
        ("{authority}", production.base_url.authority().to_owned()),
        ("{reads}", per_minute(production.settings.rate_limit_reads_per_minute, "reads")),
        ("{writes}", per_minute(production.settings.rate_limit_writes_per_minute, "writes")),
        ("{database}", database.to_owned()),
    ];
    values.iter().fold(TEXT.to_owned(), |text, (name, value)| text.replace(name, value))
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build;

    use super::*;
    use crate::demo::people::{SUPER_USER_TOKEN, people};

    #[test]
    fn the_limits_of_users_are_told_as_they_are_set() {
        let mut tenant = build::tenant("acme");
        let printed = text(&tenant, &tenant, "sqlite:demo.db");
        let line = "\nEach user may send 1200 reads and 120 writes a minute, and gets 429 beyond that; the back office has no limit.\n";
        assert!(printed.contains(line), "{printed}");
        tenant.settings.rate_limit_writes_per_minute = 0;
        let printed = text(&tenant, &tenant, "sqlite:demo.db");
        assert!(printed.contains(" 1200 reads and any number of writes a minute"), "{printed}");
    }

    #[test]
    fn every_person_with_a_token_is_told() {
        for person in people().unwrap() {
            let Some(token) = person.token else { continue };
            let row = format!("{:<12}{:<10}{token:<20}", person.environment, person.id);
            assert!(TEXT.contains(&row), "{row}");
        }
        assert!(TEXT.contains(&format!("{:<12}{:<10}{SUPER_USER_TOKEN:<20}", "production", "-")));
    }
}
