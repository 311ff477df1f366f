//! Takes a file and starts its import.

use bytes::Bytes;
use http::StatusCode;
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::once::once_key;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, FormFile, PageError, see_other};
use pointbook_store::background::in_background;

use crate::console::check::{Checked, Fault, check, check_size};
use crate::console::import_jobs::{Admission, ImportJob, ImportJobs, NewImport};
use crate::console::list::{Refusal, page};
use crate::console::paths::{BUTTON, FILE, IMPORT, TRY};
use crate::console::{job_page, run};
use crate::import::Kind;

/// The longest name of a file that a page shows.
const MAX_NAME_CHARS: usize = 100;

pub(crate) async fn products(visit: &Visit<'_>) -> Result<Response, PageError> {
    upload(visit, Kind::Products).await
}

pub(crate) async fn activities(visit: &Visit<'_>) -> Result<Response, PageError> {
    upload(visit, Kind::Activities).await
}

pub(crate) async fn users(visit: &Visit<'_>) -> Result<Response, PageError> {
    upload(visit, Kind::Users).await
}

pub(crate) async fn categories(visit: &Visit<'_>) -> Result<Response, PageError> {
    upload(visit, Kind::Categories).await
}

pub(crate) async fn tried_products(visit: &Visit<'_>) -> Result<Response, PageError> {
    import_tried(visit, Kind::Products).await
}

pub(crate) async fn tried_activities(visit: &Visit<'_>) -> Result<Response, PageError> {
    import_tried(visit, Kind::Activities).await
}

pub(crate) async fn tried_users(visit: &Visit<'_>) -> Result<Response, PageError> {
    import_tried(visit, Kind::Users).await
}

pub(crate) async fn tried_categories(visit: &Visit<'_>) -> Result<Response, PageError> {
    import_tried(visit, Kind::Categories).await
}

/// Imports the file of a dry run, once. The server may have dropped the file since the page was made.
async fn import_tried(visit: &Visit<'_>, kind: Kind) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let tried = job_page::find(visit, kind)?;
    let file = tried.state().tried_file.clone().ok_or(job_page::GONE)?;
    let operator = &visit.signed_in()?.operator;
    let new = NewImport {
        id: id_of(&[&tried.new.id, IMPORT], b""),
        is_dry: false,
        operator: operator.name.to_string(),
        started_at: visit.shared.service.clock.now(),
        ..tried.new.clone()
    };
    start(visit, new, &file).await
}

async fn upload(visit: &Visit<'_>, kind: Kind) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let is_dry = match form.field(BUTTON)? {
        TRY => true,
        IMPORT => false,
        _ => return Err(PageError::BadRequest),
    };
    let (file, checked) = match checked(&form, kind).await? {
        Ok(checked) => checked,
        Err(fault) => {
            return page(visit, StatusCode::UNPROCESSABLE_ENTITY, Some((kind, Refusal::File(fault)))).await;
        }
    };
    let new = new_import(visit, &form, kind, is_dry, file, &checked)?;
    start(visit, new, &file.bytes).await
}

/// Starts an import, or leads to the one that started before.
async fn start(visit: &Visit<'_>, new: NewImport, file: &Bytes) -> Result<Response, PageError> {
    let (kind, path) = (new.kind, job_page::path(visit, new.kind, &new.id));
    let refusal = match visit.shared.parts.get::<ImportJobs>()?.admit(new) {
        Admission::Known => return Ok(see_other(&path)),
        Admission::Runs(running) => {
            let clock = visit.shared.service.clock_of(&visit.served);
            tokio::spawn(run::run(running, visit.context()?, clock, file.clone()));
            return Ok(see_other(&path));
        }
        Admission::Busy(other) => Refusal::Busy(job_path(visit, &other)),
        Admission::Full => return Err(PageError::Store(pointbook_store::ports::StoreError::Overloaded)),
    };
    page(visit, StatusCode::CONFLICT, Some((kind, refusal))).await
}

fn job_path(visit: &Visit<'_>, job: &ImportJob) -> String {
    job_page::path(visit, job.new.kind, &job.new.id)
}

/// The file of the form, or what is wrong with it.
async fn checked(form: &Form, kind: Kind) -> Result<Result<(&FormFile, Checked), Fault>, PageError> {
    let Some(file) = form.file(FILE) else { return Ok(Err(Fault::Missing)) };
    if let Err(fault) = check_size(kind, &file.bytes) {
        return Ok(Err(fault));
    }
    let bytes = file.bytes.clone();
    let checked = in_background(move || check(kind, &bytes)).await?;
    Ok(checked.map(|checked| (file, checked)))
}

/// The import of a file. The same form with the same file is the same import. Another file, or the other button, is another one.
fn new_import(
    visit: &Visit<'_>,
    form: &Form,
    kind: Kind,
    is_dry: bool,
    file: &FormFile,
    checked: &Checked,
) -> Result<NewImport, PageError> {
    let operator = &visit.signed_in()?.operator;
    let parts =
        [&*kind.to_string(), if is_dry { TRY } else { IMPORT }, operator.id.as_str(), once_key(form)?];
    Ok(NewImport {
        id: id_of(&parts, &checked.digest),
        tenant: visit.served.tenant.id.clone(),
        kind,
        is_dry,
        operator: operator.name.to_string(),
        file_name: file.name.chars().take(MAX_NAME_CHARS).collect(),
        lines: checked.lines,
        started_at: visit.shared.service.clock.now(),
    })
}

fn id_of(parts: &[&str], file: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    let mut digest = Sha256::new();
    for part in parts {
        digest.update(part);
        digest.update([0]);
    }
    digest.update(file);
    data_encoding::HEXLOWER.encode(&digest.finalize())
}
