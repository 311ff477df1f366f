//! The choice of categories in forms.

use std::collections::HashSet;

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{clipped, field};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{CategoryId, CategoryTree};
use pointbook_http::pages::number;

use crate::categories::console::list::{Listed, indent, listed, matching, unknown};

/// The most categories that a form lists. With more of them, the operator searches.
const MAX_LISTED: usize = 150;

/// The most categories that the search of a form shows.
const MAX_FOUND: usize = 50;

/// The most characters of an id beside a path.
const MAX_SHOWN_ID: usize = 40;

/// The field with the search of a form.
pub(crate) const SEARCH: &str = "category-search";

/// What the button of the search sends. A form that has it changes nothing.
pub(crate) const FIND: &str = "find-category";

/// The search of a form that chooses from a large tree.
pub(crate) struct Finder<'f> {
    pub(crate) search: &'f str,
    /// The address that shows the form again.
    pub(crate) address: &'f str,
    /// The encoding in which the form is saved.
    pub(crate) encoding: Option<&'f str>,
}

impl Finder<'_> {
    /// The field, its button, and a box for each category that it finds and that is not left out. Enter in another field of the form presses
    /// the first button, so a hidden button that saves stands before that of the search.
    fn shown(
        &self,
        visit: &Visit<'_>,
        tree: &CategoryTree,
        is_left_out: impl Fn(&CategoryId) -> bool,
        tick: impl Fn(&str, Markup) -> Markup,
    ) -> Markup {
        let words = visit.words;
        let mut found = matching(tree, self.search);
        found.retain(|listed| !is_left_out(&listed.category.id));
        html! {
            button .spoken formenctype=[self.encoding] tabindex="-1" aria-hidden="true" {}
            div .stack data-enter {
                (field(visit, "category-search", html! {
                    input type="search" name=(SEARCH) value=(self.search) maxlength=(MAX_ID_CHARS) autocomplete="off";
                }))
                button .plain name=(FIND) value="1" formaction=(self.address) formnovalidate { (words.say("product-find")) }
            }
            @if found.len() > MAX_FOUND { p .hint-text role="status" { (first_of(visit, found.len())) } }
            @if !found.is_empty() {
                div .choice tabindex="0" role="group" aria-label=(words.say("category-search")) {
                    @for listed in found.iter().take(MAX_FOUND) { (tick(listed.category.id.as_str(), with_path(listed))) }
                }
            } @else if !self.search.trim().is_empty() {
                p .hint-text role="status" { (words.say("category-no-other")) }
            }
        }
    }
}

fn first_of(visit: &Visit<'_>, count: usize) -> String {
    let count = number(i64::try_from(count).unwrap_or(i64::MAX), visit.words);
    visit.words.with_all("category-found-first", [("max", MAX_FOUND.to_string()), ("count", count)])
}

fn with_path(listed: &Listed<'_>) -> Markup {
    html! { span { (listed.path()) " " span .quiet { (clipped(listed.category.id.as_str(), MAX_SHOWN_ID)) } } }
}

fn not_in_tree(visit: &Visit<'_>, id: &str) -> Markup {
    html! { (id) " " span .mark { (visit.words.say("category-not-in-tree")) } }
}

/// A chip for each chosen category, also for those that the tree lacks, and behind a button a box for each other one. A large tree has the
/// search in place of the boxes. `finder` is `None` in a form that the operator cannot send.
pub(crate) fn boxes(
    visit: &Visit<'_>,
    tree: &CategoryTree,
    (name, chosen): (&str, &[&str]),
    finder: Option<&Finder<'_>>,
) -> Markup {
    let (all, words) = (listed(tree), visit.words);
    let is_large = all.len() > MAX_LISTED;
    let is_chosen = |id: &str| chosen.contains(&id);
    let tick = |id: &str, label: Markup| {
        html! { label .check { input type="checkbox" name=(name) value=(id) checked[is_chosen(id)]; (label) } }
    };
    let chip = |id: &str, label: Markup| {
        html! { label .chip { input type="checkbox" name=(name) value=(id) checked; (label) } }
    };
    let (ticked, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|listed: &&Listed<'_>| is_chosen(listed.category.id.as_str()));
    html! {
        div .chosen {
            @if chosen.is_empty() { span .quiet { (words.say("category-none-chosen")) } }
            @for listed in ticked { (chip(listed.category.id.as_str(), if is_large { with_path(listed) } else { html! { (listed.category.label) } })) }
            @for id in unknown(tree, &[], chosen.iter().copied()) { (chip(id, not_in_tree(visit, id))) }
        }
        @if let Some(finder) = finder {
            @if is_large {
                (finder.shown(visit, tree, |id| is_chosen(id.as_str()), tick))
            } @else if !others.is_empty() {
                details .panel.wide {
                    summary { (words.say("category-choose")) }
                    // A box that scrolls must take the focus, also when no tick in it can.
                    div .choice tabindex="0" role="group" aria-label=(words.say("categories")) {
                        @for listed in others { (tick(listed.category.id.as_str(), html! { (indent(listed.level())) (listed.category.label) })) }
                    }
                }
            }
        }
    }
}

/// The field of the category above: a list, or the search in a large tree. Those in `without` cannot be chosen.
pub(crate) fn parent_field(
    visit: &Visit<'_>,
    tree: &CategoryTree,
    without: &HashSet<&CategoryId>,
    (chosen, finder): (&str, &Finder<'_>),
) -> Markup {
    let all = listed(tree);
    if all.len() > MAX_LISTED {
        return parent_boxes(visit, (tree, &all), without, (chosen, finder));
    }
    let list = html! {
        select name="parent" {
            option value="" { (visit.words.say("category-top")) }
            @for listed in all.iter().filter(|listed| !without.contains(&listed.category.id)) { (option(listed, chosen)) }
        }
    };
    field(visit, "category-below", list)
}

fn parent_boxes(
    visit: &Visit<'_>,
    (tree, all): (&CategoryTree, &[Listed<'_>]),
    without: &HashSet<&CategoryId>,
    (chosen, finder): (&str, &Finder<'_>),
) -> Markup {
    let known = all.iter().find(|listed| listed.category.id.as_str() == chosen);
    let label = known.map_or_else(|| not_in_tree(visit, chosen), with_path);
    let tick = |id: &str, label: Markup| {
        html! { label .check { input type="radio" name="parent" value=(id) checked[id == chosen]; (label) } }
    };
    html! {
        fieldset .field {
            legend { (visit.words.say("category-below")) }
            div .choice {
                (tick("", html! { (visit.words.say("category-top")) }))
                @if !chosen.is_empty() { (tick(chosen, label)) }
            }
            (finder.shown(visit, tree, |id| id.as_str() == chosen || without.contains(id), tick))
        }
    }
}

fn option(listed: &Listed<'_>, chosen: &str) -> Markup {
    let category = listed.category;
    html! { option value=(category.id) selected[category.id.as_str() == chosen] { (indent(listed.level())) (category.label) } }
}

/// The categories that a filter asks for.
pub(crate) enum Filtered<'t> {
    /// The one with this id. The tree may lack it.
    One(&'t str, Option<Listed<'t>>),
    /// Those that a search found: several, or the only one.
    Found(Vec<Listed<'t>>),
}

impl<'t> Filtered<'t> {
    /// The typed text is an id. In a large tree, which has no list to choose from, it may be a search for names.
    pub(crate) fn of(tree: &'t CategoryTree, typed: &'t str) -> Self {
        let mut all = listed(tree);
        let is_large = all.len() > MAX_LISTED;
        if let Some(place) = all.iter().position(|listed| listed.category.id.as_str() == typed) {
            return Self::One(typed, Some(all.swap_remove(place)).filter(|_| is_large));
        }
        let found = if is_large { matching(tree, typed) } else { Vec::new() };
        if found.is_empty() { Self::One(typed, None) } else { Self::Found(found) }
    }

    pub(crate) fn ids(&self) -> Vec<CategoryId> {
        match self {
            // A text that cannot be an id finds no product.
            Self::One(id, _) => CategoryId::new(*id).into_iter().collect(),
            Self::Found(found) => found.iter().map(|listed| listed.category.id.clone()).collect(),
        }
    }

    /// The names of the categories, where the form has no list that shows them. `address` leads to the list with one of them.
    pub(crate) fn shown(&self, visit: &Visit<'_>, address: impl Fn(&str) -> String) -> Markup {
        let found = match self {
            Self::One(_, one) => {
                return html! { @if let Some(one) = one { p .hint-text { (with_path(one)) } } };
            }
            Self::Found(found) => found,
        };
        html! {
            p .hint-text {
                @if found.len() > MAX_FOUND { (first_of(visit, found.len())) } @else { (visit.words.say("category-filter-found")) }
            }
            ul .choice {
                @for listed in found.iter().take(MAX_FOUND) {
                    li { a href=(address(listed.category.id.as_str())) { (with_path(listed)) } }
                }
            }
        }
    }
}

/// A list of categories of which a filter may have one, or a field for its name or id: see [`Filtered`].
pub(crate) fn filter_choice(visit: &Visit<'_>, tree: &CategoryTree, name: &str, chosen: &str) -> Markup {
    let all = listed(tree);
    html! {
        @if all.len() > MAX_LISTED {
            input type="search" name=(name) value=(chosen) maxlength=(MAX_ID_CHARS) placeholder=(visit.words.say("category-one-id"));
        } @else {
            select name=(name) {
                option value="" { (visit.words.say("category-any")) }
                @for listed in &all { (option(listed, chosen)) }
                // An id that the tree lacks, from an address or an import.
                @if !chosen.is_empty() && !all.iter().any(|listed| listed.category.id.as_str() == chosen) {
                    option value=(chosen) selected { (chosen) }
                }
            }
        }
    }
}
