//! Reports: tables of figures, with charts and files.

pub(crate) mod campaign_figures;
mod cells;
mod days;
mod file;
mod list;
mod plots;
mod segments;
mod show;
mod tiles;

use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::Scope;

pub(crate) use self::cells::rows_table;

/// A page of all reports that name no member.
macro_rules! of_figures {
    ($name:literal, $path:literal, $show:path) => {
        page!(
            $name, GET $path, Access::Scope(Scope::ReportsRead),
            [
                "manage.reports.points", "manage.reports.activity-types", "manage.reports.vintages", "manage.reports.members",
                "manage.reports.cohorts", "manage.reports.segments", "manage.reports.products", "manage.reports.categories",
                "manage.reports.campaigns", "manage.reports.campaign-days", "manage.reports.uplift", "manage.reports.reversals"
            ],
            $show
        )
    };
}

pub(crate) static PAGES: [PageSpec; 7] = [
    of_figures!("console.reports", "/reports", list::list),
    of_figures!("console.reports.show", "/reports/{name}", show::show),
    of_figures!("console.reports.file", "/reports/{name}/csv", file::file),
    page!("console.segments", GET "/segments", Access::Both(Scope::ReportsRead, Scope::UsersRead), ["manage.reports.segments", "manage.users.list"], segments::show),
    page!("console.segments.members", GET "/segments/{name}", Access::Scope(Scope::UsersRead), ["manage.users.list"], segments::members),
    page!("console.reports.earners", GET "/reports/earners", Access::Scope(Scope::UsersRead), ["manage.reports.earners"], show::earners),
    page!("console.reports.earners.file", GET "/reports/earners/csv", Access::Scope(Scope::UsersRead), ["manage.reports.earners"], file::earners),
];

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;
    use pointbook_http::pages::Languages;

    use super::cells::hyphens;
    use crate::reports::REPORTS;

    /// Another test compares the languages with each other.
    #[test]
    fn every_report_and_column_has_a_text() {
        let languages = Languages::new(SOURCES);
        let words = languages.choose(&http::HeaderMap::new());
        for report in REPORTS {
            let texts = [format!("report-{}", report.name), format!("report-{}-about", report.name)];
            let columns = report.columns.iter().map(|column| format!("column-{}", hyphens(column.name)));
            for id in texts.into_iter().chain(columns) {
                assert!(!words.say(&id).is_empty(), "{id}");
            }
        }
    }
}
