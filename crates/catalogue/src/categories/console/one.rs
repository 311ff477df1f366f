//! The page of a category: its name, its place, and its removal.

use std::collections::HashSet;

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::{danger, facts, field, form, mistakes, nothing_saved};
use pointbook_access::console_kit::icons::Icon;
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::{Sheet, link, more};
use pointbook_access::console_kit::{Visit, assets};
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::{Category, CategoryId, CategoryTree, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, see_other};
use pointbook_store::limits::MAX_TITLE_CHARS;
use url::form_urlencoded;

use super::change::{SECTION, read_label, read_parent, take};
use super::step::{Impossible, Step};
use crate::categories::console::choice::{FIND, Finder, SEARCH, parent_field};
use crate::categories::console::list::{Listed, listed};

/// What was sent, and what is wrong with it.
#[derive(Default)]
struct Typed {
    label: Option<String>,
    parent: Option<String>,
    /// What was typed to find the category above.
    search: String,
    errors: FieldErrors,
    why: Option<Impossible>,
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, StatusCode::OK, &Typed::default()).await
}

fn path_id(visit: &Visit<'_>) -> Result<CategoryId, PageError> {
    CategoryId::new(visit.param("id")?).map_err(|_| PageError::NotFound)
}

fn find<'t>(tree: &'t CategoryTree, id: &CategoryId) -> Option<Listed<'t>> {
    listed(tree).into_iter().find(|listed| listed.category.id == *id)
}

/// The ids of a category and of all below it.
fn branch(category: &Category) -> HashSet<&CategoryId> {
    let below = category.children.iter().flat_map(branch);
    std::iter::once(&category.id).chain(below).collect()
}

async fn page(visit: &Visit<'_>, code: StatusCode, typed: &Typed) -> Result<Response, PageError> {
    let tree = visit.served.data.categories().await?;
    let id = path_id(visit)?;
    let listed = find(&tree, &id).ok_or(PageError::NotFound)?;
    let may_write = visit.signed_in()?.operator.role.has(Scope::CategoriesWrite);
    let content = html! {
        @if code == StatusCode::UNPROCESSABLE_ENTITY && typed.why.is_none() { (nothing_saved(visit)) }
        @if let Some(why) = typed.why { p .error role="alert" { (visit.words.say(why.text())) } }
        (told(visit, &listed))
        @if may_write { (forms(visit, &tree, &listed, typed)?) }
    };
    let path = |category: &Category| visit.path(&format!("/categories/{}", segment(category.id.as_str())));
    let sheet = Sheet::new(visit, SECTION, &*listed.category.label);
    let sheet = listed.above.iter().fold(sheet, |sheet, above| sheet.below(path(above), &*above.label));
    let products = format!("{}1", visit.address_of_pages("/products", &[("category", id.as_str())]));
    let below = format!(
        "{}?{}#add",
        visit.path(SECTION),
        form_urlencoded::Serializer::new(String::new()).append_pair("below", id.as_str()).finish()
    );
    let mut entries = vec![link(visit, Icon::Products, &products, "products")];
    if may_write {
        let hint = html! { p { (visit.words.say("category-remove-hint")) } };
        entries.push(link(visit, Icon::Add, &below, "category-add-below"));
        entries.push(danger(visit, &format!("{}/remove", path(listed.category)), "category-remove", hint)?);
    }
    Ok(sheet.actions(more(visit, &entries)).styled(&[assets::CATALOGUE]).respond_with(code, &content))
}

fn told(visit: &Visit<'_>, Listed { category, .. }: &Listed<'_>) -> Markup {
    let link = |category: &Category| {
        html! { a href=(visit.path(&format!("/categories/{}", segment(category.id.as_str())))) { (category.label) } }
    };
    let below = html! {
        @if category.children.is_empty() { "–" }
        @for (at, category) in category.children.iter().enumerate() { @if at > 0 { ", " } (link(category)) }
    };
    let told = [("category-id", html! { code { (category.id) } }), ("category-children", below)];
    facts(visit, told)
}

fn forms(
    visit: &Visit<'_>,
    tree: &CategoryTree,
    listed: &Listed<'_>,
    typed: &Typed,
) -> Result<Markup, PageError> {
    let (words, category) = (visit.words, listed.category);
    let path = |below: &str| visit.path(&format!("/categories/{}{below}", segment(category.id.as_str())));
    let rename = field(
        visit,
        "category-label",
        html! {
            input name="label" value=(typed.label.as_ref().unwrap_or(&category.label)) maxlength=(MAX_TITLE_CHARS) required;
            (mistakes(visit, &typed.errors, "label"))
        },
    );
    let known = listed.parent().map_or("", |parent| parent.id.as_str());
    let chosen = typed.parent.as_deref().unwrap_or(known);
    let again = path("/move#move");
    let finder = Finder { search: &typed.search, address: &again, encoding: None };
    let place = parent_field(visit, tree, &branch(category), (chosen, &finder));
    Ok(html! {
        div .cards {
            section .card .six { h2 { (words.say("category-rename")) } (form(visit, &path("/rename"), "category-rename", rename)?) }
            section .card .six #move {
                h2 { (words.say("category-move")) }
                form .stack method="post" action=(path("/move")) {
                    (form_token(&visit.signed_in()?.form_token))
                    (place)
                    button .second { (words.say("category-move")) }
                }
            }
        }
    })
}

pub(super) async fn rename(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let typed = sent.field("label")?;
    match read_label(typed) {
        Ok(label) => {
            let step = Step::Rename { id: path_id(visit)?, label };
            let typed = Typed { label: Some(typed.to_owned()), ..Typed::default() };
            finish(visit, &step, typed, "category-renamed").await
        }
        Err(errors) => {
            let typed = Typed { label: Some(typed.to_owned()), errors, ..Typed::default() };
            page(visit, StatusCode::UNPROCESSABLE_ENTITY, &typed).await
        }
    }
}

/// Moves the category with all below it. The button of the search shows the form again.
pub(super) async fn put_below(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let parent = sent.field("parent")?;
    let search = sent.optional(SEARCH).unwrap_or_default().to_owned();
    let typed = Typed { parent: Some(parent.to_owned()), search, ..Typed::default() };
    if sent.optional(FIND).is_some() {
        return page(visit, StatusCode::OK, &typed).await;
    }
    let id = path_id(visit)?;
    match read_parent(parent) {
        Ok(parent) if is_below(visit, &id, parent.as_ref()).await? => {
            let path = visit.path(&format!("/categories/{}", segment(id.as_str())));
            Ok(see_other(&format!("{path}?said=category-unmoved")))
        }
        Ok(parent) => finish(visit, &Step::PutBelow { id, parent }, typed, "category-moved").await,
        Err(why) => page(visit, StatusCode::UNPROCESSABLE_ENTITY, &Typed { why: Some(why), ..typed }).await,
    }
}

/// Whether the category is where it shall be. A move would make it the last one there.
async fn is_below(
    visit: &Visit<'_>,
    id: &CategoryId,
    parent: Option<&CategoryId>,
) -> Result<bool, PageError> {
    let tree = visit.served.data.categories().await?;
    let listed = find(&tree, id).ok_or(PageError::NotFound)?;
    Ok(listed.parent().map(|above| &above.id) == parent)
}

pub(super) async fn remove(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    finish(visit, &Step::Remove { id: path_id(visit)? }, Typed::default(), "category-removed").await
}

async fn finish(visit: &Visit<'_>, step: &Step, typed: Typed, said: &str) -> Result<Response, PageError> {
    match take(visit, step).await? {
        Ok(()) => Ok(see_other(&visit.path(&format!("{SECTION}?said={said}")))),
        Err(Impossible::Unknown) => Err(PageError::NotFound),
        Err(why) => page(visit, StatusCode::UNPROCESSABLE_ENTITY, &Typed { why: Some(why), ..typed }).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_is_found_with_those_above_it() {
        let category = |id: &str, children| Category {
            id: CategoryId::new(id).unwrap(),
            label: id.to_owned(),
            children,
        };
        let below = vec![category("b", vec![category("c", vec![])]), category("d", vec![])];
        let tree = CategoryTree::new(vec![category("x", vec![]), category("a", below)]).unwrap();
        let above = |id: &str| {
            let Listed { above, .. } = find(&tree, &CategoryId::new(id).unwrap())?;
            Some(above.iter().map(|category| category.label.clone()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(above("c").as_deref(), Some("a b"));
        assert_eq!(above("d").as_deref(), Some("a"));
        assert_eq!(above("x").as_deref(), Some(""));
        assert_eq!(above("y"), None);
        let a = find(&tree, &CategoryId::new("a").unwrap()).unwrap();
        assert_eq!(branch(a.category).len(), 4);
    }
}
