//! Notes about a member: the use cases, and the operations below `/v1/manage/users/{userId}/notes`. Notes are only added.

use http::StatusCode;
use pointbook_domain::{PageRequest, UserId};
use pointbook_http::answer::finish;
use pointbook_http::body::{BodyFields, JsonBody, Reader, schema_of, title};
use pointbook_http::describe::{BodyDoc, Operation, Sample, Schema};
use pointbook_http::documentation::{Tag, page_parameters};
use pointbook_http::error::{FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::{Response, json};
use pointbook_http::query::{ReadQuery, unfiltered_list};
use pointbook_http::query_string::PageLinks;
use pointbook_http::view;
use pointbook_http::views::envelope::page_body;
use pointbook_http::views::success::Success;
use pointbook_http::views::values::DateTimeView;
use pointbook_http::{Answer, ApiError, ApiRequest, path_id};
use pointbook_store::audit_log::ChangeNote;
use pointbook_store::commands::{Command, CommandError, Facts, Lane, Needs};
use pointbook_store::ports::{Execution, PageOf, TenantData, read_page};
use pointbook_store::schema::Query;
use pointbook_store::schema::rows::{UserNote, UserRow};
use pointbook_store::{Context, StoreResult};

pub(crate) const MAX_NOTE_CHARS: usize = 2_000;

/// Adds the note. `None` when the user is unknown.
struct AddNote(UserNote);

impl Command for AddNote {
    type Outcome = Option<UserNote>;

    const NAME: &'static str = "add_user_note";

    fn lane(&self) -> Lane {
        Lane::User(self.0.user_id.clone())
    }

    fn needs(&self, needs: &mut Needs) {
        needs.exists::<UserRow>(&self.0.user_id);
    }

    fn decide(&self, facts: &mut Facts) -> Result<Option<UserNote>, CommandError> {
        let Self(note) = self;
        if !facts.exists::<UserRow>(&note.user_id)? {
            return Ok(None);
        }
        // The note itself has the text.
        let object = format!("user:{}", note.user_id);
        facts.note(|| {
            ChangeNote::of_event("user.note", object, serde_json::json!({ "note": note.id.as_str() }))
        });
        facts.insert(note.clone());
        Ok(Some(note.clone()))
    }
}

/// Adds a note of the actor. `None` when the user is unknown.
///
/// # Errors
/// When the store fails: nothing was saved, or the key of the request tells.
pub(crate) async fn add_note(
    context: &Context<Option<UserNote>>,
    user_id: UserId,
    text: String,
) -> StoreResult<Execution<Option<UserNote>>> {
    let note = UserNote {
        user_id,
        created_at: context.now,
        id: context.ids.transaction_id(),
        text,
        created_by: context.actor.to_string(),
    };
    context.execute(AddNote(note)).await
}

/// A page of the notes about a user, the newest first.
///
/// # Errors
/// When the store fails.
pub(crate) async fn notes(
    data: &dyn TenantData,
    user: &UserId,
    page: PageRequest,
) -> StoreResult<PageOf<UserNote>> {
    let newest = Query::of::<UserNote>("user_notes", &["created_at", "id"]).descending();
    read_page(data, newest.equal("user_id", Some(user)), page).await
}

view! {
    /// A note about a user. It is never changed.
    #[derive(Debug)]
    struct UserNoteView<'n> as "UserNote" {
        id: &'n str,
        user_id: &'n str => Schema::id(),
        text: &'n str => Schema::title_to(MAX_NOTE_CHARS),
        created_at: DateTimeView,
        /// Who wrote it, such as `operator:` or `key:` and an id.
        created_by: &'n str,
    }
}

impl Sample for UserNoteView<'_> {
    const SAMPLE: &'static str = r#"{
    "id": "01a1ff0e1c5573b2a1f09d7e31c0f4aa",
    "user_id": "ben",
    "text": "Asked on the telephone why the order of May was cancelled.",
    "created_at": "2026-05-05T07:30:00.000000Z",
    "created_by": "key:b0b1b2b3b4b5b6b7b8b9"
}"#;
}

impl<'n> From<&'n UserNote> for UserNoteView<'n> {
    fn from(note: &'n UserNote) -> Self {
        let UserNote { user_id, created_at, id, text, created_by } = note;
        Self {
            id: id.as_str(),
            user_id: user_id.as_str(),
            text,
            created_at: DateTimeView(*created_at),
            created_by,
        }
    }
}

pub(crate) async fn add(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let text = read_note(body.fields())?;
    let user = path_id(request.params, "userId", UserId::new)?;
    finish(add_note(&request.once(body.key, render), user, text).await?, render)
}

/// What the note says, without spaces around it.
pub(crate) fn read_note(mut fields: BodyFields<'_>) -> Result<String, FieldErrors> {
    let control = || {
        Rule::new(
            FieldCode::ControlCharacter,
            "must not contain control characters other than tabs and line ends",
        )
    };
    let reader = title(MAX_NOTE_CHARS)
        .only(|text| !text.chars().any(|one| one.is_control() && !matches!(one, '\n' | '\r' | '\t')), control)
        .about("What the note says, in one or several lines. Spaces around it are removed.");
    let text = fields.required("text", reader);
    fields.finish(|| text.map(|text| text.trim().to_owned()))
}

#[expect(clippy::ref_option, reason = "a response is rendered from the outcome of the command")]
fn render(note: &Option<UserNote>) -> Answer {
    match note {
        Some(note) => Answer::json(StatusCode::CREATED, &Success::of(UserNoteView::from(note))),
        None => ApiError::NotFound.into(),
    }
}

pub(crate) fn documentation_of_add() -> Operation {
    Operation::ours("addUserNote", Tag::Management, "Add a note about a user")
        .describe("Adds a note with its author and its time. A note can be neither changed nor removed. Users do not see it.")
        .defining("NewUserNote", || schema_of(read_note))
        .reading(BodyDoc::Json("NewUserNote", r#"{"text": "Asked on the telephone why the order of May was cancelled."}"#))
        .makes::<UserNoteView<'_>>("The note.")
}

pub(crate) async fn list(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let user = path_id(request.params, "userId", UserId::new)?;
    let (tenant, data) = (&request.tenant.tenant, &request.tenant.data);
    let page = request.query_string.read(unfiltered_list)?.request(&tenant.settings);
    let notes = notes(&**data, &user, page).await?;
    if notes.total == 0 && data.user(&user).await?.is_none() {
        return Err(ApiError::NotFound);
    }
    let links = PageLinks::new(tenant.base_url.as_str(), &request.params.link(), request.query_string);
    let views = notes.items.iter().map(UserNoteView::from);
    Ok(json(StatusCode::OK, page_body(views, &page.window(notes.total), &links)))
}

pub(crate) fn documentation_of_list() -> Operation {
    Operation::ours("listUserNotes", Tag::Management, "List the notes about a user")
        .describe("Lists the notes about one user, newest first. It has no filters.")
        .taking(page_parameters())
        .page::<UserNoteView<'_>>("A page of notes.")
}
