//! The back-fill of a campaign: gives the bonuses that its back-test found.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::authors::Authors;
use pointbook_access::console_kit::components::{danger, empty, facts};
use pointbook_access::console_kit::once::{Sent, once_context, once_field, sent};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_campaigns::CampaignId;
use pointbook_domain::Scope;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment, number, see_other};
use pointbook_store::schema::rows::BackFillRow;

use super::paths::{PATH, found, id, path_of};
use super::tested_period::tested_period;
use crate::campaigns::back_fill::{
    BackFillOutcome, BackFillState, back_fill, cancel_back_fill, request_back_fill,
};
use crate::campaigns::back_test::{BackTestDetail, BackTestResult, PaidTotal, back_test};

/// The path below that of the campaign.
pub(super) const BELOW: &str = "/back-fill";

const VERSION: &str = "version";
/// The fingerprint of what the page said that the back-test found. Another back-test may have found something else since.
const FOUND: &str = "found";
/// How often a page with the script loads the progress again, in seconds.
pub(super) const AGAIN_SECONDS: u32 = 2;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, StatusCode::OK, None).await
}

/// The page, with why its form was refused.
async fn page(
    visit: &Visit<'_>,
    status: StatusCode,
    refused: Option<&'static str>,
) -> Result<Response, PageError> {
    let (id, detail) = found(visit).await?;
    let words = visit.words;
    let title = detail.summary.version.campaign.title(None, &visit.served.tenant.locale);
    let may_write = visit.signed_in()?.operator.role.has(Scope::CampaignsWrite);
    let known = back_fill(&visit.served, &id, None).await?;
    let is_pending = known.as_ref().is_some_and(is_pending);
    let tested = back_test(&visit.served, &id, None).await?;
    let authors = Authors::of(visit).await?;
    let content = html! {
        @if let Some(refused) = refused { p .error role="alert" { (words.say(refused)) } }
        p #back-fill-state role="status" data-again=[is_pending.then_some(AGAIN_SECONDS)] {
            @if let Some(row) = &known { strong { (state(visit, row)) } }
        }
        div #back-fill-result data-part="back-fill-state" {
            @match &known {
                Some(row) => { (shown(visit, row, &authors)) }
                None => { (empty(visit, "back-fill-none")) }
            }
        }
        // Not in the part that the script loads again.
        @if is_pending && may_write { div data-while="back-fill-state" { (cancel_form(visit, &id)?) } }
        @if !is_pending { (offer(visit, &id, (tested.as_ref(), known.as_ref()), may_write)?) }
    };
    let all = html! { a .button href=(visit.path("/back-fills")) { (words.say("back-fills")) } };
    let sheet = Sheet::new(visit, PATH, words.say("back-fill")).below(path_of(visit, id.as_str(), ""), title);
    Ok(sheet.line(html! { (words.say("back-fill-hint")) }).actions(all).respond_with(status, &content))
}

/// Whether it waits or runs.
fn is_pending(row: &BackFillRow) -> bool {
    [BackFillState::Queued, BackFillState::Running].iter().any(|state| row.state == state.as_str())
}

pub(super) fn state(visit: &Visit<'_>, row: &BackFillRow) -> String {
    visit.words.say(&format!("back-fill-{}", row.state)).into_owned()
}

/// The bonuses and their points.
pub(super) fn total(visit: &Visit<'_>, all: PaidTotal) -> String {
    let parts = [("awards", count(visit, all.awards)), ("points", number(all.points, visit.words))];
    visit.words.with_all("back-fill-total", parts)
}

pub(super) fn found_of(row: &BackFillRow) -> PaidTotal {
    PaidTotal { awards: row.found_awards, points: row.found_points }
}

pub(super) fn given_of(row: &BackFillRow) -> PaidTotal {
    PaidTotal { awards: row.given_awards, points: row.given_points }
}

fn count(visit: &Visit<'_>, value: u64) -> String {
    number(i64::try_from(value).unwrap_or(i64::MAX), visit.words)
}

/// How far a back-fill is, or what it gave.
fn shown(visit: &Visit<'_>, row: &BackFillRow, authors: &Authors) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    let dealt_with = row.paid_before + row.given_awards + row.left_out;
    let ended = row.ended_at.map(|at| ("back-fill-ended", moment(at, served, words)));
    let heads = [
        ("back-test-version", html! { (row.version) }),
        ("back-fill-period", tested_period(visit, row.events_from, row.events_until)),
        ("back-fill-found", html! { (total(visit, found_of(row))) }),
        ("back-fill-given", html! { (total(visit, given_of(row))) }),
        ("back-fill-paid-before", html! { (count(visit, row.paid_before)) }),
        ("back-fill-left-out", html! { (count(visit, row.left_out)) }),
        ("back-fill-requested", moment(row.requested_at, served, words)),
        ("back-fill-requested-by", html! { (authors.name_or_id(&row.requested_by)) }),
    ];
    html! {
        @if is_pending(row) {
            p { progress max=(row.found_awards.max(1)) value=(dealt_with) aria-label=(words.say("import-progress")) {} }
        }
        @if row.state == BackFillState::Outdated.as_str() { p .hint { (words.say("back-fill-outdated-hint")) } }
        (facts(visit, heads.into_iter().chain(ended)))
    }
}

fn cancel_form(visit: &Visit<'_>, id: &CampaignId) -> Result<Markup, PageError> {
    let words = visit.words;
    Ok(html! {
        p { a href=(path_of(visit, id.as_str(), BELOW)) { (words.say("import-again")) } }
        form method="post" action=(path_of(visit, id.as_str(), "/back-fill/cancel")) {
            (form_token(&visit.signed_in()?.form_token))
            p .quiet { (words.say("back-fill-cancel-hint")) }
            button .danger { (words.say("back-fill-cancel")) }
        }
    })
}

/// What a new back-fill would give, and the form that asks for it.
fn offer(
    visit: &Visit<'_>,
    id: &CampaignId,
    (tested, last): (Option<&BackTestDetail>, Option<&BackFillRow>),
    may_write: bool,
) -> Result<Markup, PageError> {
    let words = visit.words;
    let result = tested.and_then(|detail| Some((detail, detail.result.as_ref()?)));
    let to_test = html! {
        p { a .button href={ (path_of(visit, id.as_str(), "")) "#back-test" } { (words.say("back-fill-to-test")) } }
    };
    let Some((detail, result)) = result else {
        return Ok(
            html! { h2 { (words.say("back-fill-offer")) } p { (words.say("back-fill-untested")) } (to_test) },
        );
    };
    let why_not = why_not(result, last);
    let fields = html! {
        p { (words.say("back-fill-start-hint")) " " strong { (total(visit, result.due)) } }
        (once_field(visit))
        input type="hidden" name=(VERSION) value=(detail.row.version);
        input type="hidden" name=(FOUND) value=(result.fingerprint);
    };
    let form = if may_write && why_not.is_none() {
        danger(visit, &path_of(visit, id.as_str(), BELOW), "back-fill-start", fields)?
    } else {
        html! {}
    };
    Ok(html! {
        h2 { (words.say("back-fill-offer")) }
        @match why_not {
            Some(why_not) => p { (words.say(why_not)) },
            None => (found_by_test(visit, detail, result)),
        }
        (form)
        (to_test)
    })
}

/// The id of the text that says why the result gives nothing now. `None` when it gives something.
fn why_not(result: &BackTestResult, last: Option<&BackFillRow>) -> Option<&'static str> {
    let of_result = last.filter(|last| last.found_hash == result.fingerprint);
    let last_is = |state: BackFillState| of_result.is_some_and(|last| last.state == state.as_str());
    if result.awards == 0 {
        Some("back-fill-nothing")
    } else if result.due.awards == 0 || last_is(BackFillState::Done) {
        Some("back-fill-is-given")
    } else if last_is(BackFillState::Outdated) {
        Some("back-fill-is-outdated")
    } else {
        None
    }
}

/// What the back-test found.
fn found_by_test(visit: &Visit<'_>, detail: &BackTestDetail, result: &BackTestResult) -> Markup {
    let (row, words) = (&detail.row, visit.words);
    facts(
        visit,
        [
            ("back-test-version", html! { (row.version) }),
            ("back-fill-period", tested_period(visit, row.events_from, row.events_until)),
            ("back-test-activities", html! { (count(visit, result.activities)) }),
            ("back-test-awards", html! { (count(visit, result.awards)) }),
            ("back-test-points", html! { (number(result.points, words)) }),
            ("back-test-users", html! { (count(visit, result.users)) }),
            ("back-test-paid", html! { (number(result.paid.points, words)) }),
            ("back-test-due", html! { (total(visit, result.due)) }),
        ],
    )
}

pub(super) async fn start(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let (id, _) = found(visit).await?;
    let (version, seen) = (form.field(VERSION)?, form.field(FOUND)?);
    let number: u32 = version.parse().map_err(|_| PageError::BadRequest)?;
    let path = path_of(visit, id.as_str(), BELOW);
    let done = see_other(&format!("{path}?said=back-fill-started"));
    let is_refusal = |outcome: &BackFillOutcome| !matches!(outcome, BackFillOutcome::Stored(_));
    let context = once_context(visit, &form, &format!("back-fill {id} {version} {seen}"), is_refusal)?;
    match sent(request_back_fill(&context, &id, number, Some(seen)).await?)? {
        Sent::Now(BackFillOutcome::Stored(_)) | Sent::Before => Ok(done),
        Sent::RefusedBefore => Ok(see_other(&path)),
        Sent::OtherBefore => Err(PageError::BadRequest),
        Sent::Now(BackFillOutcome::NotFound) => Err(PageError::NotFound),
        Sent::Now(outcome) => page(visit, StatusCode::CONFLICT, Some(hint(&outcome))).await,
    }
}

/// The id of the text that says why a request is refused.
fn hint(outcome: &BackFillOutcome) -> &'static str {
    match outcome {
        BackFillOutcome::Changed => "back-fill-changed",
        BackFillOutcome::TooMany => "back-fill-too-many",
        BackFillOutcome::Running => "back-fill-is-running",
        BackFillOutcome::Stored(_) | BackFillOutcome::NotFound | BackFillOutcome::NotTested => {
            "back-fill-untested"
        }
    }
}

pub(super) async fn cancel(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = id(visit)?;
    let path = path_of(visit, id.as_str(), BELOW);
    match cancel_back_fill(&visit.context::<()>()?, id).await? {
        BackFillOutcome::Stored(row) if row.state == BackFillState::Cancelled.as_str() => {
            Ok(see_other(&format!("{path}?said=back-fill-cancelled")))
        }
        BackFillOutcome::Stored(_) => Ok(see_other(&path)),
        BackFillOutcome::NotFound
        | BackFillOutcome::NotTested
        | BackFillOutcome::Changed
        | BackFillOutcome::TooMany
        | BackFillOutcome::Running => Err(PageError::NotFound),
    }
}
