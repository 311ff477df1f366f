//! The whole tree, with buttons for the order, and the form for a new category.

use std::collections::HashSet;

use http::StatusCode;
use maud::{Markup, html};
use pointbook_app::limits::MAX_TITLE_CHARS;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{CategoryId, CategoryTree, Scope};
use pointbook_errors::FieldErrors;
use pointbook_http_kernel::Response;
use pointbook_page_kit::{Form, PageError, form_token, pager, see_other};

use super::change::{SECTION, read_new, read_parent, take, version};
use super::step::{Impossible, Step};
use crate::category_choice::{Listed, indent, listed, parent_choice};
use pointbook_console_kit::components::{empty_list, field, form, respond_with, table};
use pointbook_console_kit::mistakes::mistakes;
use pointbook_console_kit::path_part::segment;
use pointbook_console_kit::visit::Visit;

const CATEGORIES_PER_PAGE: u32 = 100;

/// The form of a new category as it was sent.
#[derive(Default)]
struct Typed {
    id: String,
    label: String,
    parent: String,
    errors: FieldErrors,
    why: Option<Impossible>,
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let typed = Typed { parent: visit.query("below"), ..Typed::default() };
    page(visit, StatusCode::OK, &typed).await
}

async fn page(visit: &Visit<'_>, code: StatusCode, typed: &Typed) -> Result<Response, PageError> {
    let tree = visit.served.data.categories().await?;
    let may_write = visit.signed_in()?.operator.role.has(Scope::CategoriesWrite);
    let all = listed(&tree);
    let page = visit.page(CATEGORIES_PER_PAGE);
    let window = page.window(u64::try_from(all.len()).unwrap_or(u64::MAX));
    let first = usize::try_from(window.from.saturating_sub(1)).unwrap_or_default();
    let shown = all.iter().skip(first).take(if window.to == 0 { 0 } else { CATEGORIES_PER_PAGE as usize });
    let rows: Vec<Vec<Markup>> = shown.map(|listed| row(visit, listed, may_write)).collect();
    let next_level = all.get(first + rows.len()).map_or(0, |next| next.level);
    let content = html! {
        p .quiet { (visit.words.say("category-about")) }
        @if let Some(why) = typed.why { p .error role="alert" { (visit.words.say(why.text())) } }
        @if rows.is_empty() { (empty_list(visit, &window, "category-none")) } @else { (rows_of(visit, &tree, (&rows, next_level), may_write)?) }
        (pager(visit.words, &window, &visit.address_of_pages(SECTION, &[])))
        @if may_write { (add_form(visit, &tree, typed)?) }
    };
    Ok(respond_with(visit, code, SECTION, &visit.words.say("categories"), &content))
}

/// One form for all buttons, so that a tree of many categories is a small page. `next_level` is that of the first row of the next page:
/// it bounds where a category may be dropped behind the last row.
fn rows_of(
    visit: &Visit<'_>,
    tree: &CategoryTree,
    (rows, next_level): (&[Vec<Markup>], usize),
    may_write: bool,
) -> Result<Markup, PageError> {
    if !may_write {
        return Ok(table(visit, &["category-label", "category-id"], rows));
    }
    let rows = table(visit, &["category-label", "category-id", "category-order"], rows);
    Ok(html! {
        form method="post" action=(address(visit, "?")) data-drag="category" data-version=(version(tree)) data-next-level=(next_level) {
            (form_token(&visit.signed_in()?.form_token))
            (drag_texts(visit))
            (rows)
        }
    })
}

/// What the script says while a category is dragged. It puts names in place of the numbers. Without the script, nothing of it is seen.
fn drag_texts(visit: &Visit<'_>) -> Markup {
    let words = visit.words;
    let text = |id: &str| words.with_all(id, [("name", "%1".to_owned()), ("other", "%2".to_owned())]);
    html! {
        p .quiet data-drag-hint hidden { (words.say("category-drag-hint")) }
        p .spoken role="status" data-drag-said data-onto=(text("category-drag-onto")) data-before=(text("category-drag-before"))
            data-after=(text("category-drag-after")) data-none=(text("category-drag-none")) {}
    }
}

/// What the script drags. Keyboards and browsers without script do the same by the buttons, and by the form on the page of the category.
fn grip(listed: &Listed<'_>) -> Markup {
    let parent = listed.parent.map_or("", |parent| parent.id.as_str());
    html! { span .grip hidden aria-hidden="true" data-parent=(parent) data-level=(listed.level) { "⠿" } }
}

/// This page of the list again.
pub(super) fn address(visit: &Visit<'_>, joint: &str) -> String {
    let number = visit.page(CATEGORIES_PER_PAGE).number;
    format!("{}{joint}page={}", visit.path(SECTION), number.get())
}

fn row(visit: &Visit<'_>, listed: &Listed<'_>, may_write: bool) -> Vec<Markup> {
    let (words, category) = (visit.words, listed.category);
    let path = visit.path(&format!("/categories/{}", segment(category.id.as_str())));
    let (index, count) = listed.place;
    let button = |name: &str, text: &str, sign: &str, is_end: bool| {
        let label = words.with(text, "name", category.label.as_str()).into_owned();
        html! { button .plain name=(name) value={ (category.id) "@" (index) } aria-label=(label) disabled[is_end] { (sign) } }
    };
    let mut cells = vec![
        html! { @if may_write { (grip(listed)) } (indent(listed.level)) a href=(path) { (category.label) } },
        html! { code { (category.id) } },
    ];
    if may_write {
        cells.push(html! {
            (button("up", "category-up", "↑", index == 0)) " "
            (button("down", "category-down", "↓", index + 1 == count))
        });
    }
    cells
}

fn add_form(visit: &Visit<'_>, tree: &CategoryTree, typed: &Typed) -> Result<Markup, PageError> {
    let fields = html! {
        (field(visit, "category-label", html! {
            input name="label" value=(typed.label) maxlength=(MAX_TITLE_CHARS) required;
            (mistakes(visit, &typed.errors, "label"))
        }))
        (field(visit, "category-id", html! {
            input name="id" value=(typed.id) maxlength=(MAX_ID_CHARS) required;
            span .hint-text { (visit.words.say("category-id-hint")) }
            (mistakes(visit, &typed.errors, "id"))
        }))
        (field(visit, "category-below", parent_choice(visit, tree, &HashSet::new(), &typed.parent)))
    };
    Ok(html! {
        h2 #add { (visit.words.say("category-add")) }
        (form(visit, &visit.path("/new-category"), "category-add", fields)?)
    })
}

/// Adds a category. A form that is sent twice adds one, because an id is there once.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let text = |name: &str| form.field(name).map(|text| text.trim().to_owned());
    let mut typed =
        Typed { id: text("id")?, label: text("label")?, parent: text("parent")?, ..Typed::default() };
    let (id, label) = match read_new(&typed.id, &typed.label) {
        Ok(read) => read,
        Err(errors) => {
            typed.errors = errors;
            return page(visit, StatusCode::UNPROCESSABLE_ENTITY, &typed).await;
        }
    };
    let taken = match read_parent(&typed.parent) {
        Ok(parent) => take(visit, &Step::Add { id, label, parent }).await?,
        Err(why) => Err(why),
    };
    if let Err(why) = taken {
        typed.why = Some(why);
        return page(visit, StatusCode::UNPROCESSABLE_ENTITY, &typed).await;
    }
    Ok(see_other(&visit.path("/categories?said=category-added")))
}

/// Moves a category before its sibling, or behind it.
pub(super) async fn shift(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    match take(visit, &read_shift(&form)?).await? {
        Ok(()) => Ok(see_other(&address(visit, "?said=category-moved&"))),
        Err(why) => refused(visit, why).await,
    }
}

/// The tree as it is now, and why a step is impossible.
pub(super) async fn refused(visit: &Visit<'_>, why: Impossible) -> Result<Response, PageError> {
    page(visit, why.code(), &Typed { why: Some(why), ..Typed::default() }).await
}

/// The button that was pressed: the category, and its place among its siblings.
fn read_shift(form: &Form) -> Result<Step, PageError> {
    let (text, is_up) = match form.optional("up") {
        Some(id) => (id, true),
        None => (form.field("down")?, false),
    };
    let (id, from) = text.rsplit_once('@').ok_or(PageError::BadRequest)?;
    let from = from.parse().map_err(|_| PageError::BadRequest)?;
    let id = CategoryId::new(id).map_err(|_| PageError::BadRequest)?;
    Ok(Step::Shift { id, from, is_up })
}
