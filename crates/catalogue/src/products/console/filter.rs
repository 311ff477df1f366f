//! The filter of the list of products: the filters of the interface, and hidden products.

use maud::{Markup, html};
use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::CategoryTree;

use super::prices::whole_digits;
use crate::categories::console::choice::{Filtered, filter_choice};
use crate::products::list_managed::ProductListFilter;

/// The names of the parameters in the address.
const SEARCH: &str = "search";
const CATEGORY: &str = "category";
const MIN: &str = "min";
const MAX: &str = "max";

/// The boxes, with the words that mark such products in the list.
const FLAGS: [(&str, &str); 5] = [
    ("new", "product-new"),
    ("low", "product-low"),
    ("reduced", "product-reduced"),
    ("popular", "product-popular"),
    ("hidden", "product-hidden"),
];

/// What an operator typed into the form, by the names of its parameters.
pub(super) struct Filter(Vec<(&'static str, String)>);

impl Filter {
    pub(super) fn of(visit: &Visit<'_>) -> Self {
        let names = [SEARCH, CATEGORY, MIN, MAX].into_iter().chain(FLAGS.map(|(name, _)| name));
        // The id of a category may have any spaces.
        let typed = |name| if name == SEARCH { visit.searched_words(name) } else { visit.searched(name) };
        Self(names.map(|name| (name, typed(name))).collect())
    }

    fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    fn is_set(&self, name: &str) -> bool {
        !self.get(name).is_empty()
    }

    /// Whether the list leaves products out.
    pub(super) fn restricts(&self) -> bool {
        self.0.iter().any(|(_, value)| !value.is_empty())
    }

    /// The names and values, for addresses of the list.
    pub(super) fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The points in a field. `None` for an empty field, and for other text, which [`Self::bad_price`] names.
    fn points(&self, name: &str) -> Option<i64> {
        whole_digits(self.get(name)).map(|digits| digits.parse().unwrap_or(i64::MAX))
    }

    /// The text of the label of a price that is no number of points. It restricts nothing.
    pub(super) fn bad_price(&self) -> Option<&'static str> {
        let fields = [(MIN, "product-min-price"), (MAX, "product-max-price")];
        let bad = fields.into_iter().find(|(name, _)| self.is_set(name) && self.points(name).is_none());
        bad.map(|(_, label)| label)
    }

    /// The categories of the list, when the form asks for some.
    pub(super) fn categories<'t>(&'t self, tree: &'t CategoryTree) -> Option<Filtered<'t>> {
        self.is_set(CATEGORY).then(|| Filtered::of(tree, self.get(CATEGORY)))
    }

    /// The parameters of the address of the list with this category in place of the typed one.
    pub(super) fn with_category<'f>(&'f self, id: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        self.parameters().map(move |(name, value)| (name, if name == CATEGORY { id } else { value }))
    }

    pub(super) fn read(&self, categories: Option<&Filtered<'_>>) -> ProductListFilter {
        ProductListFilter {
            search: Some(self.get(SEARCH).to_owned()).filter(|text| !text.is_empty()),
            categories: categories.map(Filtered::ids),
            min_price: self.points(MIN),
            max_price: self.points(MAX),
            only_new: self.is_set("new"),
            low_stock: self.is_set("low"),
            on_sale: self.is_set("reduced"),
            popular: self.is_set("popular"),
            active: self.is_set("hidden").then_some(false),
        }
    }

    /// The fields, and the button for browsers without script.
    pub(super) fn fields(&self, visit: &Visit<'_>, tree: &CategoryTree) -> Markup {
        let words = visit.words;
        let price = |name: &str, label: &str| {
            html! { label { (words.say(label)) input name=(name) value=(self.get(name)) inputmode="numeric" maxlength="30"; } }
        };
        html! {
            label { (words.say("product-search")) input type="search" name=(SEARCH) value=(self.get(SEARCH)) maxlength="255"; }
            label { (words.say("product-category")) (filter_choice(visit, tree, CATEGORY, self.get(CATEGORY))) }
            (price(MIN, "product-min-price"))
            (price(MAX, "product-max-price"))
            fieldset {
                legend .unseen { (words.say("product-only")) }
                @for (name, label) in FLAGS {
                    label .check { input type="checkbox" name=(name) value="1" checked[self.is_set(name)]; (words.say(label)) }
                }
                button { (words.say("product-find")) }
            }
        }
    }
}
