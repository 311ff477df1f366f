//! The page of an import: its progress, and then its result.

use std::sync::Arc;

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{clipped, facts, form};
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number, visible};

use crate::console::import_jobs::{ImportEnding, ImportJob, ImportJobs, ImportState, NewImport, RefusedRow};
use crate::console::paths::SECTION;
use crate::console::reasons::reason_texts;
use crate::import::Kind;

/// The id of the text for an import that has not ended.
const RUNS: &str = "import-runs";

/// How often a page with the script loads the progress again, in seconds.
const AGAIN_SECONDS: u32 = 1;

pub(crate) async fn products(visit: &Visit<'_>) -> Result<Response, PageError> {
    show(visit, Kind::Products)
}

pub(crate) async fn activities(visit: &Visit<'_>) -> Result<Response, PageError> {
    show(visit, Kind::Activities)
}

pub(crate) async fn users(visit: &Visit<'_>) -> Result<Response, PageError> {
    show(visit, Kind::Users)
}

pub(crate) async fn categories(visit: &Visit<'_>) -> Result<Response, PageError> {
    show(visit, Kind::Categories)
}

/// The path of an import.
pub(crate) fn path(visit: &Visit<'_>, kind: Kind, id: &str) -> String {
    visit.path(&format!("{SECTION}/{kind}/{id}"))
}

/// What is not kept any more.
pub(crate) const GONE: PageError =
    PageError::Said { status: http::StatusCode::NOT_FOUND, texts: ["import-gone", "import-gone-hint"] };

/// The import of the path.
///
/// # Errors
/// [`PageError::Said`] when this process has no such import of the tenant.
pub(crate) fn find(visit: &Visit<'_>, kind: Kind) -> Result<Arc<ImportJob>, PageError> {
    let (id, now) = (visit.param("id")?, visit.shared.service.clock.now());
    let job = visit.shared.parts.get::<ImportJobs>()?.find(&visit.served.tenant.id, &id, now);
    job.filter(|job| job.new.kind == kind).ok_or(GONE)
}

fn show(visit: &Visit<'_>, kind: Kind) -> Result<Response, PageError> {
    let job = find(visit, kind)?;
    let words = visit.words;
    let title = words.say(&format!("import-{kind}-title"));
    // One look at the state, because the import may end at any moment.
    let said = state_text(&job);
    let is_running = said == RUNS;
    let content = html! {
        p #import-state role="status" data-again=[is_running.then_some(AGAIN_SECONDS)] {
            strong { (words.say(said)) }
        }
        // Not in the part that the script loads again, which would take the focus away.
        @if is_running { p data-while="import-state" { a href=(path(visit, kind, &job.new.id)) { (words.say("import-again")) } } }
        div #import-result data-part="import-state" { (result(visit, &job)?) }
        p { a href=(visit.path(SECTION)) { (words.say("import-back")) } }
        p .quiet { (words.say("import-kept")) }
    };
    Ok(Sheet::new(visit, SECTION, title).respond(&content))
}

/// The id of the text that says how far an import is.
pub(crate) fn state_text(job: &ImportJob) -> &'static str {
    let state = job.state();
    match &state.ending {
        None => RUNS,
        Some(ImportEnding::Refused(_) | ImportEnding::HeaderRefused(_)) => "import-refused",
        Some(ImportEnding::BrokenOff) => "import-broken-off",
        Some(ImportEnding::Complete) if state.rows() == 0 => "import-no-rows",
        Some(ImportEnding::Complete) if job.new.is_dry => "import-tried",
        Some(ImportEnding::Complete) if state.refused > 0 => "import-done-in-part",
        Some(ImportEnding::Complete) if job.new.kind == Kind::Categories => "import-categories-done",
        Some(ImportEnding::Complete) => "import-done",
    }
}

/// The id of the text that says what an import does.
pub(crate) fn kind_text(new: &NewImport) -> String {
    format!("import-{}-{}", new.kind, if new.is_dry { "try" } else { "do" })
}

fn result(visit: &Visit<'_>, job: &ImportJob) -> Result<Markup, PageError> {
    let (words, new, state) = (visit.words, &job.new, job.state());
    let is_running = state.ending.is_none();
    let line = if is_running { state.line } else { new.lines };
    let of = [("line", count(visit, line)), ("lines", count(visit, new.lines))];
    Ok(html! {
        @if is_running {
            p {
                progress max=(new.lines) value=(line) aria-label=(words.say("import-progress")) {}
                " " (words.with_all("import-line-of-lines", of))
            }
        }
        (file_refused(visit, &state))
        (facts(visit, [
            ("import-file", html! { (new.file_name) }),
            ("import-kind", html! { (words.say(&kind_text(new))) }),
            ("import-operator", html! { (new.operator) }),
            ("import-started", moment(new.started_at, &visit.served, words)),
        ]))
        @if !matches!(state.ending, Some(ImportEnding::Refused(_) | ImportEnding::HeaderRefused(_))) {
            (facts(visit, counts(visit, new, &state)))
        }
        (lacking_columns(visit, new.kind, &state))
        @if state.in_unknown_categories > 0 {
            p { (words.with("import-unknown-categories", "number", count(visit, state.in_unknown_categories))) }
            (unknown_categories(visit, &state))
        }
        (new_members(visit, &state))
        @if state.tried_file.is_some() && state.created + state.replaced + state.removed > 0 {
            (form(visit, &path(visit, new.kind, &new.id), "import-tried-do", html! {})?)
        }
        (refused(visit, new, &state))
    })
}

/// Why the whole file was refused.
fn file_refused(visit: &Visit<'_>, state: &ImportState) -> Markup {
    let (is_header, reasons) = match &state.ending {
        Some(ImportEnding::Refused(reasons)) => (false, reasons),
        Some(ImportEnding::HeaderRefused(reasons)) => (true, reasons),
        _ => return html! {},
    };
    let reason_texts = reason_texts(visit.words, reasons);
    html! {
        @if is_header { p .error { (visit.words.say("import-header-refused")) } }
        @if let ([only], false) = (&reason_texts[..], is_header) {
            p .error { (only) }
        } @else {
            ul .error { @for reason in &reason_texts { li { (reason) } } }
        }
    }
}

/// The columns that the file lacks, where that changes what is stored.
fn lacking_columns(visit: &Visit<'_>, kind: Kind, state: &ImportState) -> Markup {
    let (words, columns) = (visit.words, state.cleared_columns.join(", "));
    html! {
        @if !columns.is_empty() {
            p .error { (words.with(&format!("import-{kind}-lack-columns"), "columns", columns)) }
        }
        @if let Some(column) = state.activating_column {
            p .error { (words.with("import-lacks-active", "column", column)) }
        }
    }
}

/// The categories that the tree does not have.
fn unknown_categories(visit: &Visit<'_>, state: &ImportState) -> Markup {
    let (words, named) = (visit.words, &state.unknown_categories);
    let more = state.unknown_category_count - u64::try_from(named.len()).unwrap_or(u64::MAX);
    html! {
        p {
            (words.say("import-unknown-named")) " "
            @for (place, id) in named.iter().enumerate() { @if place > 0 { ", " } code { (clipped(id, 60)) } }
            @if more > 0 { " " (words.with("import-unknown-more", "number", count(visit, more))) }
        }
    }
}

/// The members whom the import would create. A mistyped id is one of them.
fn new_members(visit: &Visit<'_>, state: &ImportState) -> Markup {
    let (words, named) = (visit.words, &state.first_new_members);
    let more = state.new_members - u64::try_from(named.len()).unwrap_or(u64::MAX);
    html! {
        @if state.new_members > 0 {
            p {
                (words.with("import-new-members", "number", count(visit, state.new_members))) " "
                @for (place, id) in named.iter().enumerate() { @if place > 0 { ", " } code { (clipped(&visible(id), 60)) } }
                @if more > 0 { " " (words.with("import-unknown-more", "number", count(visit, more))) }
            }
        }
    }
}

/// The numbers of the import. Those of a dry run have other names, because it stored nothing.
fn counts(visit: &Visit<'_>, new: &NewImport, state: &ImportState) -> Vec<(&'static str, Markup)> {
    let value = |number: u64| html! { (count(visit, number)) };
    let named = |dry, done| if new.is_dry { dry } else { done };
    let mut counts = vec![(named("import-would-create", "import-created"), value(state.created))];
    if new.kind != Kind::Activities {
        counts.push((named("import-would-replace", "import-replaced"), value(state.replaced)));
    }
    counts.push(("import-unchanged", value(state.unchanged)));
    counts.push(match new.kind {
        Kind::Categories => (named("import-would-remove", "import-removed"), value(state.removed)),
        _ => (named("import-would-refuse", "import-rejected"), value(state.refused)),
    });
    counts
}

fn refused(visit: &Visit<'_>, new: &NewImport, state: &ImportState) -> Markup {
    // The table takes the focus, so it comes when the page does not change any more.
    if state.first_refused.is_empty() || state.ending.is_none() {
        return html! {};
    }
    let words = visit.words;
    let row = |row: &RefusedRow| {
        vec![
            html! { (count(visit, row.line)) },
            html! { (reason_texts(visit.words, &row.reasons).join("; ")) },
        ]
    };
    let rows: Vec<Vec<Markup>> = state.first_refused.iter().map(row).collect();
    let shown = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    html! {
        h2 { (words.say("import-refused-rows")) }
        p { a .button href={ (path(visit, new.kind, &new.id)) "/refused.csv" } { (words.say("import-download")) } }
        p .quiet { (words.say("import-download-hint")) }
        @if state.is_cut { p .error { (words.say("import-cut")) } }
        (list_table(visit, &words.say("import-reason"), &[Column::number("import-line"), Column::text("import-reason")], &rows))
        @if state.refused > shown {
            p .quiet { (words.with("import-more-refused", "number", count(visit, state.refused - shown))) }
        }
    }
}

fn count(visit: &Visit<'_>, value: u64) -> String {
    number(i64::try_from(value).unwrap_or(i64::MAX), visit.words)
}
