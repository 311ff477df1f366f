//! The notes on the page of a member.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::authors::Authors;
use pointbook_access::console_kit::components::field;
use pointbook_access::console_kit::draft::Draft;
use pointbook_access::console_kit::once::{Sent, once_context, once_field, sent};
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;
use pointbook_domain::{Scope, User};
use pointbook_http::body::BodyFields;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment, pager, see_other};
use pointbook_store::schema::rows::UserNote;

use super::forms::Drafts;
use super::paths::{SECTION, find, may, member_path};
use super::show::{Tab, of_member, page};
use crate::members::notes::{MAX_NOTE_CHARS, add_note, notes, read_note};

/// How many notes a page lists.
const ROWS: u32 = 50;

/// Adds the note once, however often the form is sent.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let user = find(visit).await?;
    let mut draft = Draft::of(&form);
    // Browsers send lines with a carriage return.
    let members = [("text".to_owned(), Json::Text(draft.or("text", "").replace("\r\n", "\n")))];
    match read_note(BodyFields::new(&members, FieldErrors::default())) {
        Ok(text) => {
            let request = format!("members.note {:?}", (&user.id, &text));
            let context = once_context(visit, &form, &request, Option::is_none)?;
            match sent(add_note(&context, user.id.clone(), text).await?)? {
                Sent::Now(Some(_)) | Sent::Before => {
                    return Ok(see_other(&member_path(visit, &user.id, "/notes?said=member-noted")));
                }
                Sent::Now(None) | Sent::RefusedBefore => return Err(PageError::NotFound),
                Sent::OtherBefore => draft.refuse("text", visit.words.say("member-fault-sent-before")),
            }
        }
        Err(errors) => {
            for (_, code, _) in errors.problems() {
                draft.refuse("text", visit.words.say(&format!("mistake-{code}")));
            }
        }
    }
    page(visit, &user, &Drafts { note: draft, ..Drafts::default() }).await
}

/// `GET /members/{id}/notes`: all notes.
pub(super) async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let user = find(visit).await?;
    let content = of(visit, &user, &Draft::default()).await?;
    of_member(visit, &user, &Drafts::default(), Tab::Notes, &content).await
}

async fn written(visit: &Visit<'_>, notes: &[UserNote]) -> Result<Markup, PageError> {
    let (words, authors) = (visit.words, Authors::of(visit).await?);
    Ok(html! {
        @if notes.is_empty() { p .quiet { (words.say("member-no-notes")) } }
        @for note in notes {
            p {
                span .quiet { (authors.name_or_id(&note.created_by)) " · " (moment(note.created_at, &visit.served, words)) }
                @for line in note.text.lines() { br; (line) }
            }
        }
    })
}

/// The notes of a page, the newest first, and the form for another one.
pub(super) async fn of(visit: &Visit<'_>, user: &User, draft: &Draft<'_>) -> Result<Markup, PageError> {
    let (words, page) = (visit.words, visit.page(ROWS));
    let notes = notes(&*visit.served.data, &user.id, page).await?;
    let address = visit.address_of_pages(&format!("{SECTION}/{}/notes", segment(user.id.as_str())), &[]);
    let fields = html! {
        (once_field(visit))
        (field(visit, "member-note", html! {
            textarea .short name="text" rows="3" maxlength=(MAX_NOTE_CHARS) required { (draft.or("text", "")) }
        }))
        (draft.said("text"))
    };
    Ok(html! {
        @if may(visit, Scope::NotesWrite)? {
            form .stack method="post" action=(member_path(visit, &user.id, "/notes")) {
                (form_token(&visit.signed_in()?.form_token))
                (fields)
                button .second { (words.say("member-note-add")) }
            }
        }
        (written(visit, &notes.items).await?)
        (pager(words, &page.window(notes.total), &address))
    })
}
