//! The back-test of a campaign.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{facts, field};
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_access::console_kit::once::{once_context, once_field, was_refused};
use pointbook_access::console_kit::plots::bars_by_day;
use pointbook_campaigns::CampaignId;
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{Day, Scope, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, number, see_other, visible};
use pointbook_store::ports::Execution;

use super::back_fill;
use super::back_fill::{AGAIN_SECONDS, total};
use super::paths::{found, id, path_of};
use super::show::{Mistake, show_with};
use super::tested_period::tested_period;
use crate::campaigns::back_test::{
    BackTestDetail, BackTestOutcome, BackTestRequest, BackTestResult, BackTestState, back_test,
    cancel_back_test, request_back_test,
};
use crate::campaigns::test_window::{WindowFault, check_window};

/// What a mistake in the form of this section is of.
pub(super) const FORM: &str = "back-test";

const FROM: &str = "from";
const UNTIL: &str = "until";
/// The most days of the chart of a result: its last ones. Its table has a row for each.
const CHART_DAYS: usize = 180;
/// How many days the form proposes.
const PROPOSED_DAYS: i32 = 28;

pub(super) async fn section(
    visit: &Visit<'_>,
    id: &CampaignId,
    may_write: bool,
    mistake: Option<&Mistake<'_>>,
) -> Result<Markup, PageError> {
    let words = visit.words;
    let known = back_test(&visit.served, id, None).await?;
    let is_pending = known.as_ref().is_some_and(|detail| {
        [BackTestState::Queued, BackTestState::Running].iter().any(|state| detail.row.state == state.as_str())
    });
    let forms = match (may_write, is_pending) {
        (false, _) => html! {},
        (true, true) => cancel_form(visit, id)?,
        (true, false) => start_form(visit, id, mistake)?,
    };
    let mistake = mistake.filter(|mistake| mistake.form == FORM);
    let fault =
        html! { @if let Some(mistake) = mistake { p .error role="alert" { (words.say(mistake.text)) } } };
    let fill = path_of(visit, id.as_str(), back_fill::BELOW);
    Ok(html! {
        h2 #back-test { (words.say("back-test")) }
        p .quiet .small { (words.say("back-test-hint")) }
        p #back-test-state role="status" data-again=[is_pending.then_some(AGAIN_SECONDS)] {
            @match &known {
                Some(detail) => { strong { (words.say(&format!("back-test-{}", detail.row.state))) } }
                None => (words.say("back-test-none")),
            }
        }
        div #back-test-result data-part="back-test-state" {
            @if let Some(detail) = &known { (shown(visit, detail)?) }
            @if known.as_ref().is_some_and(|detail| detail.result.is_some()) {
                p { a .button href=(fill) { (words.say("back-fill-open")) } }
            }
        }
        (fault)
        div #back-test-forms data-while=[is_pending.then_some("back-test-state")] { (forms) }
    })
}

fn cancel_form(visit: &Visit<'_>, id: &CampaignId) -> Result<Markup, PageError> {
    let token = &visit.signed_in()?.form_token;
    Ok(html! {
        p .quiet { (visit.words.say("back-test-reload")) }
        form method="post" action=(path_of(visit, id.as_str(), "/back-test/cancel")) {
            (form_token(token))
            button .danger { (visit.words.say("back-test-cancel")) }
        }
    })
}

fn start_form(
    visit: &Visit<'_>,
    id: &CampaignId,
    mistake: Option<&Mistake<'_>>,
) -> Result<Markup, PageError> {
    let today = visit.served.local_time(visit.now).day;
    let first = Day::from_days(today.as_days() - PROPOSED_DAYS + 1).unwrap_or(today);
    let mistake = mistake.filter(|mistake| mistake.form == FORM);
    let day = |name: &str, place: usize, day: Day| {
        let value = mistake
            .and_then(|mistake| mistake.typed.get(place))
            .map_or_else(|| day.to_string(), ToString::to_string);
        html! { input type="date" name=(name) value=(value) required aria-invalid=[mistake.map(|_| "true")]; }
    };
    Ok(html! {
        form .stack method="post" action=(path_of(visit, id.as_str(), "/back-test")) {
            (form_token(&visit.signed_in()?.form_token)) (once_field(visit))
            (field(visit, "back-test-from", day(FROM, 0, first)))
            (field(visit, "back-test-until", day(UNTIL, 1, today)))
            button .second { (visit.words.say("back-test-start")) }
        }
    })
}

fn shown(visit: &Visit<'_>, detail: &BackTestDetail) -> Result<Markup, PageError> {
    let (words, row) = (visit.words, &detail.row);
    let count = |value: u64| number(i64::try_from(value).unwrap_or(i64::MAX), words);
    let progress = row
        .rows_total
        .map_or_else(|| count(row.rows_read), |total| format!("{} / {}", count(row.rows_read), count(total)));
    let heads = [
        ("back-test-version", html! { (row.version) }),
        ("back-test-period", tested_period(visit, row.events_from, row.events_until)),
        ("back-test-progress", html! { (progress) }),
    ];
    let result = detail.result.as_ref().map(|result| result_of(visit, result)).transpose()?;
    Ok(html! { (facts(visit, heads)) @if let Some(result) = result { (result) } })
}

fn result_of(visit: &Visit<'_>, result: &BackTestResult) -> Result<Markup, PageError> {
    let words = visit.words;
    let count = |value: u64| html! { (number(i64::try_from(value).unwrap_or(i64::MAX), words)) };
    let numbers = [
        ("back-test-activities", count(result.activities)),
        ("back-test-awards", count(result.awards)),
        ("back-test-points", html! { (number(result.points, words)) }),
        ("back-test-users", count(result.users)),
        ("back-test-clipped", count(result.clipped)),
        ("back-test-paid", html! { (number(result.paid.points, words)) }),
        ("back-test-due", html! { (total(visit, result.due)) }),
        ("back-test-differing", count(result.differing)),
    ];
    Ok(html! {
        (facts(visit, numbers))
        @if !result.days.is_empty() { h3 { (words.say("back-test-days")) } (days_chart(visit, result)) }
        (top_users(visit, result)?)
    })
}

const TOP: [Column; 3] =
    [Column::text("column-user-id"), Column::number("campaign-awards"), Column::number("campaign-points")];

/// The members who gain most, for roles that may read members.
pub(super) fn top_users(visit: &Visit<'_>, result: &BackTestResult) -> Result<Markup, PageError> {
    let words = visit.words;
    let names_members = visit.signed_in()?.operator.role.has(Scope::UsersRead);
    let top: Vec<Vec<Markup>> = result
        .top_users
        .iter()
        .map(|user| {
            vec![
                html! { (visible(user.user_id.as_str())) },
                html! { (number(i64::try_from(user.awards).unwrap_or(i64::MAX), words)) },
                html! { (number(user.points, words)) },
            ]
        })
        .collect();
    let name = words.say("back-test-top");
    Ok(html! {
        @if names_members && !top.is_empty() {
            details { summary { (name) } (list_table(visit, &name, &TOP, &top)) }
        }
    })
}

/// The days from the first to the last award, with those without awards between them.
fn days_chart(visit: &Visit<'_>, result: &BackTestResult) -> Markup {
    let totals: Vec<(Day, i64)> =
        result.days.iter().filter_map(|total| Some((parse_day(&total.day)?, total.points))).collect();
    let (Some((first, _)), Some((last, _))) = (totals.first(), totals.last()) else { return html! {} };
    let days: Vec<Day> = (first.as_days()..=last.as_days()).filter_map(Day::from_days).collect();
    let is_cut = days.len() > CHART_DAYS;
    let days = days.get(days.len().saturating_sub(CHART_DAYS)..).unwrap_or_default().to_vec();
    let points = |day: &Day| totals.iter().find(|(known, _)| known == day).map_or(0, |(_, points)| *points);
    let values: Vec<Option<i64>> = days.iter().map(|day| Some(points(day))).collect();
    let shown = number(i64::try_from(CHART_DAYS).unwrap_or_default(), visit.words);
    html! {
        @if is_cut { p .quiet { (visit.words.with("back-test-cut", "count", shown)) } }
        (bars_by_day(visit, "back-test-days", days, &values))
    }
}

/// The times of the days that were typed: from their first midnight to their last one, in the zone of the tenant.
fn window(visit: &Visit<'_>, typed: [&str; 2]) -> Result<(Timestamp, Timestamp), &'static str> {
    let wrong = "report-day-wrong";
    let [from, until] = typed.map(parse_day);
    let (from, until) = from.zip(until).ok_or(wrong)?;
    let after = Day::from_days(until.as_days() + 1).ok_or(wrong)?;
    let midnight = |day: Day| visit.midnight(day).ok_or(wrong);
    let window = (midnight(from)?, midnight(after)?);
    check_window(window.0, window.1).map_err(|fault| match fault {
        WindowFault::NotAfterFrom => "back-test-backwards",
        WindowFault::TooLong => "back-test-too-long",
    })?;
    Ok(window)
}

pub(super) async fn start(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (id, _) = found(visit).await?;
    let typed = [form.field(FROM)?, form.field(UNTIL)?];
    let mistake = |status, text| Mistake { status, form: FORM, text, typed };
    let (from, until) = match window(visit, typed) {
        Ok(window) => window,
        Err(text) => return show_with(visit, Some(&mistake(StatusCode::UNPROCESSABLE_ENTITY, text))).await,
    };
    let is_refusal = |outcome: &BackTestOutcome| !matches!(outcome, BackTestOutcome::Stored(_));
    let context = once_context(visit, &form, &format!("{id} {}", typed.join(" ")), is_refusal)?;
    let path = path_of(visit, id.as_str(), "");
    let done = see_other(&format!("{path}?said=back-test-started#back-test"));
    let request = BackTestRequest { campaign: id, version: None, from, until };
    match request_back_test(&context, request).await? {
        Execution::Replayed(answer) if was_refused(&answer) => Ok(see_other(&path)),
        Execution::Executed(BackTestOutcome::Stored(_)) | Execution::Replayed(_) => Ok(done),
        Execution::Executed(BackTestOutcome::NotFound) => Err(PageError::NotFound),
        Execution::Executed(BackTestOutcome::Running) => {
            show_with(visit, Some(&mistake(StatusCode::CONFLICT, "back-test-is-running"))).await
        }
        Execution::KeyTaken | Execution::TooManyKeys => Err(PageError::BadRequest),
    }
}

pub(super) async fn cancel(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = id(visit)?;
    let path = path_of(visit, id.as_str(), "");
    match cancel_back_test(&visit.context::<()>()?, id).await? {
        BackTestOutcome::Stored(_) => Ok(see_other(&format!("{path}?said=back-test-cancelled#back-test"))),
        BackTestOutcome::NotFound | BackTestOutcome::Running => Err(PageError::NotFound),
    }
}
