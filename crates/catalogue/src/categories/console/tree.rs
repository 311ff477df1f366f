//! The whole tree, with buttons for the order, its search, and the form for a new category.

use std::collections::HashSet;

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty_list, field, form, mistakes, nothing_saved};
use pointbook_access::console_kit::lists::{Bar, Column, found, list_table, named};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Visit, assets};
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{CategoryId, CategoryTree, PageWindow, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, form_token, pager, see_other};
use pointbook_store::limits::MAX_TITLE_CHARS;

use super::change::{SECTION, read_new, read_parent, take, version};
use super::step::{Impossible, Step};
use crate::categories::console::choice::{FIND, Finder, SEARCH, parent_field};
use crate::categories::console::list::{Listed, indent, listed, matching};

const CATEGORIES_PER_PAGE: u32 = 80;

/// The parameter with what is searched for.
const SEARCHED: &str = "search";

const COLUMNS: [Column; 3] =
    [Column::text("category-label"), Column::text("category-id").rank(2), Column::number("category-order")];

/// The form of a new category as it was sent.
#[derive(Default)]
struct Typed {
    id: String,
    label: String,
    parent: String,
    /// What was typed to find the category above.
    search: String,
    errors: FieldErrors,
    why: Option<Impossible>,
}

impl Typed {
    /// Whether nothing was typed: then a mistake is that of another form.
    fn is_blank(&self) -> bool {
        self.id.is_empty() && self.label.is_empty()
    }
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let typed = Typed { parent: visit.query("below"), ..Typed::default() };
    page(visit, StatusCode::OK, &typed).await
}

async fn page(visit: &Visit<'_>, code: StatusCode, typed: &Typed) -> Result<Response, PageError> {
    let tree = visit.served.data.categories().await?;
    let may_write = visit.signed_in()?.operator.role.has(Scope::CategoriesWrite);
    let search = visit.searched_words(SEARCHED);
    let content = html! {
        @if code == StatusCode::UNPROCESSABLE_ENTITY && (typed.why.is_none() || !typed.is_blank()) { (nothing_saved(visit)) }
        @if let Some(why) = typed.why.filter(|_| typed.is_blank()) { p .error role="alert" { (visit.words.say(why.text())) } }
        // With what was found for the form, the page shows the form alone, and stays small.
        @if typed.search.is_empty() {
            @if search.is_empty() { (all_of(visit, &tree, may_write)?) } @else { (found_in(visit, &tree, &search)) }
        }
    };
    let add = if may_write {
        add_form(visit, &tree, typed)?
    } else {
        html! {}
    };
    Ok(Sheet::new(visit, SECTION, visit.words.say("categories"))
        .line(html! { (visit.words.say("category-about")) })
        .actions(add)
        .styled(&[assets::CATALOGUE])
        .respond_with(code, &content))
}

/// The line with the search, and the rows below it.
fn searched(visit: &Visit<'_>, search: &str, window: &PageWindow, rows: &Markup) -> Markup {
    let bar = Bar {
        action: visit.path(SECTION),
        search: Some(("category-search", SEARCHED, search)),
        chips: Vec::new(),
        filters: html! {},
        hidden: html! {},
        found: found(visit, window),
    };
    let addresses = visit.address_of_pages(SECTION, &[(SEARCHED, search)]);
    html! {
        (bar.markup(visit))
        div #results { (rows) (pager(visit.words, window, &addresses)) }
    }
}

/// The tree, with what changes the order.
fn all_of(visit: &Visit<'_>, tree: &CategoryTree, may_write: bool) -> Result<Markup, PageError> {
    let all = listed(tree);
    let (window, shown) = visit.page_of(&all, CATEGORIES_PER_PAGE);
    let rows: Vec<Vec<Markup>> = shown.iter().map(|listed| row(visit, listed, may_write)).collect();
    let next = usize::try_from(window.to).ok().and_then(|next| all.get(next));
    let next_level = next.map_or(0, Listed::level);
    let rows = if rows.is_empty() {
        empty_list(visit, &window, "category-none")
    } else {
        rows_of(visit, tree, (&rows, next_level), may_write)?
    };
    Ok(searched(visit, "", &window, &rows))
}

/// What the search finds, without the buttons: neighbours here are no siblings.
fn found_in(visit: &Visit<'_>, tree: &CategoryTree, search: &str) -> Markup {
    let all = matching(tree, search);
    let (window, shown) = visit.page_of(&all, CATEGORIES_PER_PAGE);
    let row = |listed: &Listed<'_>| {
        let id = listed.category.id.as_str();
        vec![named(&path_of(visit, listed), &listed.path(), id), html! { code { (id) } }]
    };
    let rows: Vec<Vec<Markup>> = shown.iter().map(row).collect();
    let rows =
        if rows.is_empty() { empty_list(visit, &window, "category-none-found") } else { list(visit, &rows) };
    searched(visit, search, &window, &rows)
}

/// As many columns as the rows have.
fn list(visit: &Visit<'_>, rows: &[Vec<Markup>]) -> Markup {
    let columns = rows.first().and_then(|row| COLUMNS.get(..row.len())).unwrap_or_default();
    list_table(visit, &visit.words.say("categories"), columns, rows)
}

fn path_of(visit: &Visit<'_>, listed: &Listed<'_>) -> String {
    visit.path(&format!("/categories/{}", segment(listed.category.id.as_str())))
}

/// One form for all buttons, so that a tree of many categories is a small page. `next_level` is that of the first row of the next page:
/// it bounds where a category may be dropped behind the last row.
fn rows_of(
    visit: &Visit<'_>,
    tree: &CategoryTree,
    (rows, next_level): (&[Vec<Markup>], usize),
    may_write: bool,
) -> Result<Markup, PageError> {
    let rows = list(visit, rows);
    if !may_write {
        return Ok(rows);
    }
    Ok(html! {
        form method="post" action=(address(visit, "?")) data-drag="category" data-version=(version(tree)) data-next-level=(next_level) {
            (form_token(&visit.signed_in()?.form_token))
            (rows)
            (drag_texts(visit))
        }
    })
}

/// What the script says while a category is dragged. It puts names in place of the numbers. Without the script, nothing of it is seen.
fn drag_texts(visit: &Visit<'_>) -> Markup {
    let words = visit.words;
    let text = |id: &str| words.with_all(id, [("name", "%1".to_owned()), ("other", "%2".to_owned())]);
    html! {
        p .quiet .unready data-drag-hint { (words.say("category-drag-hint")) }
        p .spoken role="status" data-drag-said data-onto=(text("category-drag-onto")) data-before=(text("category-drag-before"))
            data-after=(text("category-drag-after")) data-none=(text("category-drag-none")) {}
    }
}

/// What the script drags. Keyboards and browsers without script do the same by the buttons, and by the form on the page of the category.
fn grip(listed: &Listed<'_>) -> Markup {
    let parent = listed.parent().map_or("", |parent| parent.id.as_str());
    html! { span .grip hidden aria-hidden="true" data-parent=(parent) data-level=(listed.level()) { "⠿" } }
}

/// This page of the list again.
pub(super) fn address(visit: &Visit<'_>, joint: &str) -> String {
    let number = visit.page(CATEGORIES_PER_PAGE).number;
    format!("{}{joint}page={}", visit.path(SECTION), number.get())
}

fn row(visit: &Visit<'_>, listed: &Listed<'_>, may_write: bool) -> Vec<Markup> {
    let (words, category) = (visit.words, listed.category);
    let path = path_of(visit, listed);
    let (index, count) = listed.place;
    let button = |name: &str, text: &str, sign: &str, is_end: bool| {
        let label = words.with(text, "name", category.label.as_str()).into_owned();
        html! { button .plain name=(name) value={ (category.id) "@" (index) } aria-label=(label) disabled[is_end] { (sign) } }
    };
    let mut cells = vec![
        html! { @if may_write { (grip(listed)) } (indent(listed.level())) a href=(path) { (category.label) } },
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
    let again = visit.path("/new-category#add");
    let finder = Finder { search: &typed.search, address: &again, encoding: None };
    let why = typed.why.filter(|_| !typed.is_blank());
    let told = |is_of_id: bool| {
        let here = why.filter(|why| (*why == Impossible::Duplicate) == is_of_id);
        html! { @if let Some(why) = here { span .error role="alert" { (visit.words.say(why.text())) } } }
    };
    let fields = html! {
        (field(visit, "category-label", html! {
            input name="label" value=(typed.label) maxlength=(MAX_TITLE_CHARS) required;
            (mistakes(visit, &typed.errors, "label"))
        }))
        (field(visit, "category-id", html! {
            input name="id" value=(typed.id) maxlength=(MAX_ID_CHARS) required;
            span .hint-text { (visit.words.say("category-id-hint")) }
            (mistakes(visit, &typed.errors, "id"))
            (told(true))
        }))
        (told(false))
        (parent_field(visit, tree, &HashSet::new(), (&typed.parent, &finder)))
    };
    let is_open = !typed.is_blank() || !typed.parent.is_empty() || !typed.search.is_empty();
    Ok(html! {
        details #add .panel open[is_open] {
            summary { (visit.words.say("category-add")) }
            (form(visit, &visit.path("/new-category"), "category-add", fields)?)
        }
    })
}

/// Adds a category. A form that is sent twice adds one, because an id is there once.
pub(super) async fn add(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let text = |name: &str| form.field(name).map(|text| text.trim().to_owned());
    let search = form.optional(SEARCH).unwrap_or_default().to_owned();
    let mut typed =
        Typed { id: text("id")?, label: text("label")?, parent: text("parent")?, search, ..Typed::default() };
    if form.optional(FIND).is_some() {
        return page(visit, StatusCode::OK, &typed).await;
    }
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
