//! `pointbook campaign back-test`: what a campaign would have given.

use std::time::Instant;

use clap::{Args, value_parser};
use pointbook_campaigns::{CampaignId, CampaignVersion};
use pointbook_domain::Timestamp;
use pointbook_points::campaigns::back_test::{
    BackTest, BackTestResult, DayTotal, DifferingRow, UserTotal, run_back_test, version_to_test,
};
use pointbook_points::campaigns::back_test_view::BackTestResultView;
use pointbook_points::campaigns::test_window::check_window;
use pointbook_store::ServedTenant;

use super::super::arguments::parse_time;
use super::super::progress::Progress;
use super::super::{
    CommandResult, Context, DatabaseClient, Failure, acting, align, print, say, say_duration, table, visible,
};
use super::{Chosen, open, unknown};

/// Shown below the arguments.
const AFTER_HELP: &str = "\
The command reads the whole ledger of the tenant and writes nothing. It tests the version as if it had always been in force, ignores all
other campaigns, and also counts activities whose bonuses came from a request or an import, and activities that were reversed later.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    chosen: Chosen,

    /// Count activities from this time on, such as 2027-01-01T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    from: Timestamp,

    /// Count activities before this time, at most 40 years after the first
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    until: Timestamp,

    /// The version, as `campaign versions` numbers it [default: the newest one]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..))]
    version: Option<u32>,

    /// Print JSON: the `result` of a back-test of the API
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let Arguments { chosen: Chosen { tenant, id }, from, until, version: number, json } = arguments;
    check_window(from, until).map_err(|fault| Failure::input(format!("--until {fault}")))?;
    // The secret of control groups may have to be made.
    let (service, served) = open(context, &tenant, DatabaseClient::Command).await?;
    let version = find_version(&served, &id, number).await?;
    let tested = version.version;
    let (mut progress, began_at) = (Progress::start(), Instant::now());
    let mut show = |rows: u64| progress.show(format!("{id}: {rows} ledger rows read"));
    let test = BackTest { version, from, until };
    let result = run_back_test(&acting::<()>(&service, &served), &test, &mut show).await?;
    drop(progress);
    // Only a progress that says so ends the test.
    let Some(result) = result else { return Ok(()) };
    say_duration(began_at.elapsed());
    if json {
        let pretty = serde_json::to_string_pretty(&BackTestResultView::from(&result));
        let trouble = |error: serde_json::Error| Failure::trouble("cannot write the result", &error);
        return print(format_args!("{}\n", pretty.map_err(trouble)?));
    }
    print(format_args!("{id}: version {tested}, from {from} until {until}\n\n{}", text(&result)))
}

async fn find_version(
    served: &ServedTenant,
    id: &CampaignId,
    number: Option<u32>,
) -> Result<CampaignVersion, Failure> {
    if let Some(found) = version_to_test(served, id, number).await? {
        return Ok(found);
    }
    match version_to_test(served, id, None).await? {
        Some(CampaignVersion { version: newest, .. }) => {
            let number = number.unwrap_or_default();
            say(format_args!("{id} has no version {number}: the newest one is {newest}"));
            Err(Failure::found_wrong())
        }
        None => Err(unknown(served, id)),
    }
}

fn text(result: &BackTestResult) -> String {
    let BackTestResult { activities, awards, points, users, clipped, paid, due, differing, .. } = result;
    let sums = [
        ("activities", activities.to_string()),
        ("awards", awards.to_string()),
        ("points", points.to_string()),
        ("users", users.to_string()),
        ("clipped awards", clipped.to_string()),
        ("paid awards", paid.awards.to_string()),
        ("paid points", paid.points.to_string()),
        ("due awards", due.awards.to_string()),
        ("due points", due.points.to_string()),
        ("differing activities", differing.to_string()),
    ];
    let mut text = align(&sums.map(|(name, value)| [name.to_owned(), value]));
    for part in [days(&result.days), top_users(&result.top_users), differing_rows(&result.differing_rows)] {
        text.extend(part.map(|part| format!("\n{part}")));
    }
    text
}

/// `None` without days.
fn days(days: &[DayTotal]) -> Option<String> {
    let row = |total: &DayTotal| [total.day.clone(), total.awards.to_string(), total.points.to_string()];
    (!days.is_empty()).then(|| table(["DAY", "AWARDS", "POINTS"], days.iter().map(row)))
}

fn top_users(users: &[UserTotal]) -> Option<String> {
    let row =
        |total: &UserTotal| [visible(&total.user_id), total.awards.to_string(), total.points.to_string()];
    (!users.is_empty()).then(|| table(["TOP USER", "AWARDS", "POINTS"], users.iter().map(row)))
}

fn differing_rows(rows: &[DifferingRow]) -> Option<String> {
    let titles = ["DIFFERING TRANSACTION", "USER", "BACK-TEST", "PAID"];
    let row = |row: &DifferingRow| {
        let DifferingRow { user_id, transaction_id, simulated, paid } = row;
        [transaction_id.clone(), visible(user_id), simulated.to_string(), paid.to_string()]
    };
    (!rows.is_empty()).then(|| table(titles, rows.iter().map(row)))
}
