//! The forms of the section, and the imports of the last hour.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::{clipped, field};
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_access::console_kit::once::once_field;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Access, Visit};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment};

use crate::console::check::Fault;
use crate::console::columns::columns;
use crate::console::import_jobs::ImportJobs;
use crate::console::job_page;
use crate::console::job_page::{kind_text, state_text};
use crate::console::paths::{BUTTON, FILE, IMPORT, KINDS, SECTION, TRY};
use crate::import::Kind;

/// The names of files with rows.
const ROWS: &str = ".csv,.jsonl,.ndjson";

/// Why a form did not start an import.
pub(crate) enum Refusal {
    File(Fault),
    /// Another import runs, at this path.
    Busy(String),
}

pub(crate) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, StatusCode::OK, None).await
}

pub(crate) async fn page(
    visit: &Visit<'_>,
    code: StatusCode,
    refused: Option<(Kind, Refusal)>,
) -> Result<Response, PageError> {
    let role = visit.signed_in()?.operator.role;
    let kinds: Vec<_> =
        KINDS.into_iter().filter(|(_, access): &(Kind, Access)| access.admits(role)).collect();
    let refusal = |kind: Kind| refused.as_ref().filter(|(of, _)| *of == kind).map(|(_, refusal)| refusal);
    let recent = recent(visit, &kinds)?;
    let content = html! {
        (recent)
        div .cards { @for (kind, _) in &kinds { (upload_form(visit, *kind, refusal(*kind))?) } }
        p .quiet { (visit.words.say("import-kept")) }
    };
    let about = html! { (visit.words.say("import-about")) };
    Ok(Sheet::new(visit, SECTION, visit.words.say("imports")).line(about).respond_with(code, &content))
}

fn upload_form(visit: &Visit<'_>, kind: Kind, refusal: Option<&Refusal>) -> Result<Markup, PageError> {
    let words = visit.words;
    let (accept, hint) = match kind {
        Kind::Categories => (".json", "import-categories-file-hint"),
        Kind::Activities | Kind::Products | Kind::Users => (ROWS, "import-file-hint"),
    };
    let heading = format!("import-{kind}-title");
    Ok(html! {
        form .card .stack .six id=(kind) method="post" enctype="multipart/form-data" action=(visit.path(&format!("{SECTION}/{kind}"))) {
            h2 { (words.say(&heading)) }
            p .quiet .small { (words.say(&format!("import-{kind}-about"))) }
            @if let Some(refusal) = refusal { (said(visit, refusal)) }
            (form_token(&visit.signed_in()?.form_token))
            (once_field(visit))
            (field(visit, "import-file", html! {
                input type="file" name=(FILE) accept=(accept) required;
                span .hint-text { (words.say(hint)) }
            }))
            (columns(visit, kind))
            p .acts {
                button name=(BUTTON) value=(TRY) { (words.say("import-try")) }
                button name=(BUTTON) value=(IMPORT) { (words.say("import-do")) }
            }
        }
    })
}

fn said(visit: &Visit<'_>, refusal: &Refusal) -> Markup {
    let words = visit.words;
    html! {
        p .error role="alert" {
            @match refusal {
                Refusal::File(fault) => { (words.say(fault.text())) }
                Refusal::Busy(path) => { (words.say("import-busy")) " " a href=(path) { (words.say("import-show")) } }
            }
        }
    }
}

fn recent(visit: &Visit<'_>, kinds: &[(Kind, Access)]) -> Result<Markup, PageError> {
    let now = visit.shared.service.clock.now();
    let mut jobs = visit.shared.parts.get::<ImportJobs>()?.of_tenant(&visit.served.tenant.id, now);
    jobs.retain(|job| kinds.iter().any(|(kind, _)| *kind == job.new.kind));
    let rows: Vec<Vec<Markup>> = jobs
        .iter()
        .map(|job| {
            let path = job_page::path(visit, job.new.kind, &job.new.id);
            let name = clipped(&job.new.file_name, 40);
            vec![
                html! { a href=(path) { @if name.trim().is_empty() { "–" } @else { (name) } } },
                html! { (visit.words.say(&kind_text(&job.new))) },
                moment(job.new.started_at, &visit.served, visit.words),
                html! { (job.new.operator) },
                html! { (visit.words.say(state_text(job))) },
            ]
        })
        .collect();
    let columns = [
        Column::text("import-file"),
        Column::text("import-kind").rank(2),
        Column::text("import-started").rank(3),
        Column::text("import-operator").rank(3),
        Column::text("import-state"),
    ];
    let title = visit.words.say("import-recent");
    Ok(html! { @if !rows.is_empty() { h2 { (title) } (list_table(visit, &title, &columns, &rows)) } })
}
