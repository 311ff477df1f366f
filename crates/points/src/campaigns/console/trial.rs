//! What a rule says in words, and what it would have given in the last days, before anyone saves it.

use std::sync::Arc;

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::plots::bars_by_day;
use pointbook_campaigns::{Campaign, CampaignVersion, VersionState, parse};
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{Day, Points, Timestamp};
use pointbook_http::pages::{PageError, date, number};
use pointbook_store::StoreResult;
use pointbook_store::ports::Query;
use pointbook_store::schema::TRANSACTIONS;
use serde_json::{Value, json};

use super::back_test::top_users;
use super::list::period;
use super::paths::definition;
use super::sentences::sentences;
use super::show::notes;
use crate::campaigns::back_test::{BackTest, BackTestResult, run_back_test};

/// How many days a trial counts.
const DAYS: i32 = 28;
/// The rows of a ledger, with their members, that a page reads at once for a trial: some tenths of a second.
pub(super) const FEW_ROWS: u64 = 20_000;
/// The rows that it reads when a person asked for the trial: some seconds.
pub(super) const MANY_ROWS: u64 = 400_000;

/// A definition with a stand-in for the id and the title that are not typed yet.
pub(super) fn named(visit: &Visit<'_>, rule: &Value) -> Value {
    let mut rule = rule.clone();
    let Some(members) = rule.as_object_mut() else { return rule };
    if members.get("id").and_then(Value::as_str).is_none_or(str::is_empty) {
        members.insert("id".to_owned(), "_".into());
    }
    let titles = members.entry("title").or_insert_with(|| json!({}));
    if let Some(titles) = titles.as_object_mut() {
        titles.entry(visit.served.tenant.locale.as_str()).or_insert_with(|| "–".into());
    }
    rule
}

/// The column beside the form. A trial that needs more rows than `most_rows` has no result.
pub(super) async fn aside(
    visit: &Visit<'_>,
    rule: &Value,
    again: &str,
    most_rows: u64,
) -> Result<Markup, PageError> {
    let words = visit.words;
    let (told, tried, notes) = match parse(&named(visit, rule), &visit.served.tenant.locale) {
        Ok(campaign) => {
            let told = sentences(visit, &definition(&campaign.to_json())).join(" ");
            let has_period = campaign.starts_at().is_some() || campaign.ends_at().is_some();
            let told = html! { p { (told) } @if has_period { p .small { (period(visit, &campaign)) } } };
            let notes = notes(visit, &campaign).await?;
            (told, tried(visit, rule, campaign, most_rows).await?, notes)
        }
        Err(_) => (html! { p { (words.say("in-words-none")) } }, html! {}, html! {}),
    };
    let days = words.with("try-days", "count", number(DAYS.into(), words));
    Ok(html! {
        aside .four aria-label=(words.say("try")) {
            section .in-words #in-words aria-live="polite" { h2 { (words.say("in-words")) } (told) }
            section .card {
                div .card-head { h2 { (days) } button name="do" value="try" formaction=(again) { (words.say("try-again")) } }
                div #tried { (tried) }
            }
            div #warned { (notes) }
        }
    })
}

/// Whether the ledger of a tenant has more rows than this.
async fn is_longer(visit: &Visit<'_>, rows: u64) -> StoreResult<bool> {
    let next = Query::of_table("trial_rows", &TRANSACTIONS).only_keys().skip(rows).limit(1);
    Ok(!visit.served.data.rows(&next).await?.is_empty())
}

/// What the rule would have given if it had run then: when it begins and ends does not count.
async fn tried(
    visit: &Visit<'_>,
    rule: &Value,
    campaign: Campaign,
    most_rows: u64,
) -> Result<Markup, PageError> {
    let words = visit.words;
    if is_longer(visit, most_rows).await? {
        let why = if most_rows == FEW_ROWS { "try-waits" } else { "try-too-long" };
        return Ok(html! { p .quiet { (words.say(why)) } });
    }
    let today = visit.served.local_time(visit.now).day;
    let days: Vec<Day> =
        (0..DAYS).rev().filter_map(|before| Day::from_days(today.as_days() - before)).collect();
    let after = Day::from_days(today.as_days() + 1);
    let window =
        days.first().zip(after.as_ref()).map(|(from, after)| [visit.midnight(*from), visit.midnight(*after)]);
    let Some([Some(from), Some(until)]) = window else { return Ok(html! {}) };
    let mut always = named(visit, rule);
    if let Some(members) = always.as_object_mut() {
        members.retain(|name, _| !["starts_at", "ends_at"].contains(&name.as_str()));
    }
    let campaign = parse(&always, &visit.served.tenant.locale).unwrap_or(campaign);
    let budget = campaign.budget();
    let version = CampaignVersion {
        campaign: Arc::new(campaign),
        version: 1,
        state: VersionState::Active,
        from: Timestamp::MIN,
    };
    let test = BackTest { version, from, until };
    let Some(found) = run_back_test(&visit.context::<()>()?, &test, &mut |_| ()).await? else {
        return Ok(html! {});
    };
    let count = |value: u64| number(i64::try_from(value).unwrap_or(i64::MAX), words);
    let points = |day: &Day| {
        let of_day = found.days.iter().find(|total| parse_day(&total.day) == Some(*day));
        of_day.map_or(0, |total| total.points)
    };
    let values: Vec<_> = days.iter().map(points).map(Some).collect();
    let most = budget.and_then(|budget| budget.points).map(Points::get);
    Ok(html! {
        dl .pair {
            div { dt { (words.say("try-points")) } dd { strong { (number(found.points, words)) } span .quiet .small { (words.with("try-awards", "count", count(found.awards))) } } }
            div { dt { (words.say("try-members")) } dd { strong { (count(found.users)) } span .quiet .small { (words.with("try-activities", "count", count(found.activities))) } } }
        }
        @if found.awards > 0 { (bars_by_day(visit, "back-test-days", days, &values)) }
        @if let Some(sentence) = most.and_then(|most| lasts(visit, most, &found)) { p .small { (sentence) } }
        @if found.clipped > 0 { p .small { (words.with("try-clipped", "count", count(found.clipped))) } }
        (top_users(visit, &found)?)
    })
}

/// How long a budget of points would last.
fn lasts(visit: &Visit<'_>, most: i64, found: &BackTestResult) -> Option<String> {
    let words = visit.words;
    if found.points < most {
        let days = most.checked_mul(DAYS.into())?.checked_div(found.points)?;
        return Some(words.with("try-lasts", "count", number(days, words)).into_owned());
    }
    let last = found.days.last().and_then(|total| parse_day(&total.day))?;
    Some(words.with("try-spent", "day", date(last, words)).into_owned())
}
