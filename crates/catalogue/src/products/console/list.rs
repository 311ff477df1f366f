//! The list of products, with the filters of the management operation and the hidden products, and the marks of a product at a glance.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{empty_list, respond, table};
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::{Availability, CategoryTree, Picture, Price, Product, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, number, pager, points};
use pointbook_store::ports::StoredProduct;

use super::form::whole_digits;
use crate::categories::console::choice::{Filtered, filter_choice};
use crate::pictures::console::PICTURES;
use crate::pictures::console::choice::{address_with, asked, parameter, sought_for};
use crate::products::list_managed::{ProductListFilter, list_products};

const PRODUCTS_PER_PAGE: u32 = 50;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let (filter, page) = (Filter::of(visit), visit.page(PRODUCTS_PER_PAGE));
    let tree = visit.served.data.categories().await?;
    let categories = filter.categories(&tree);
    let products = list_products(&visit.served, filter.read(categories.as_ref()), page, visit.now).await?;
    let picture = asked(visit).await?.filter(|_| may_write(visit));
    let (name, id) = picture.as_ref().map(parameter).unwrap_or_default();
    let rows = products.items.iter().map(|product| row(visit, product, picture.as_ref()));
    let rows: Vec<Vec<Markup>> = rows.collect();
    let total = i64::try_from(products.total).unwrap_or(i64::MAX);
    let headings =
        ["product-title", "product-id", "product-sku", "product-price", "product-stock", "product-reserved"];
    let parameters: Vec<(&str, &str)> = filter.parameters().chain([(name, id.as_str())]).collect();
    let addresses = visit.address_of_pages(SECTION, &parameters);
    let with_category = |category: &str| {
        let parameters: Vec<_> = filter.with_category(category).chain([(name, id.as_str())]).collect();
        format!("{}1", visit.address_of_pages(SECTION, &parameters))
    };
    let window = page.window(products.total);
    let content = html! {
        @if let Some(picture) = &picture { (sought_for(visit, picture)) }
        form .filters method="get" action=(visit.path(SECTION)) role="search" aria-label=(words.say("product-search")) data-live="#results" {
            @if picture.is_some() { input type="hidden" name=(name) value=(id); }
            (filter.fields(visit, &tree))
        }
        (buttons(visit, picture.as_ref()))
        div #results {
            @if let Some(label) = filter.bad_price() {
                p .error role="alert" { (words.say(label)) ": " (words.say("mistake-not_an_integer")) }
            }
            @if let Some(categories) = &categories { (categories.shown(visit, with_category)) }
            p .count role="status" { (words.with("product-found", "count", number(total, words))) }
            @if rows.is_empty() {
                (empty_list(visit, &window, if filter.restricts() { "product-none-found" } else { "product-none" }))
            } @else {
                (table(visit, &headings, &rows))
            }
            (pager(words, &window, &addresses))
        }
    };
    Ok(respond(visit, SECTION, &words.say("products"), &content))
}

fn may_write(visit: &Visit<'_>) -> bool {
    visit.signed_in().is_ok_and(|signed_in| signed_in.operator.role.has(Scope::ProductsWrite))
}

fn buttons(visit: &Visit<'_>, picture: Option<&Picture>) -> Markup {
    let new = visit.path(NEW);
    let new = picture.map_or_else(|| new.clone(), |picture| address_with(&new, picture));
    html! {
        p .buttons {
            @if may_write(visit) { a .button href=(new) { (visit.words.say("product-add")) } " " }
            a href=(visit.path(PICTURES)) { (visit.words.say("pictures-all")) }
        }
    }
}

/// `picture` is the one that the product shall show.
fn row(visit: &Visit<'_>, stored: &StoredProduct, picture: Option<&Picture>) -> Vec<Markup> {
    let product = &stored.product;
    let path = visit.path(&format!("/products/{}", segment(product.id.as_str())));
    let path =
        picture.map_or_else(|| path.clone(), |picture| format!("{}#pictures", address_with(&path, picture)));
    let reserved = i64::try_from(stored.reserved).unwrap_or(i64::MAX);
    vec![
        html! { a href=(path) { (product.title.trim()) } (marks(visit, stored)) },
        html! { (product.id) },
        html! { (product.sku) },
        price(visit, product),
        stock(visit, product),
        html! { (number(reserved, visit.words)) },
    ]
}

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

/// The path of the section.
pub(super) const SECTION: &str = "/products";

/// The page of a new product is not below `/products`, where it would hide the product with that id.
pub(super) const NEW: &str = "/new-product";

/// Sold out, low, new, reduced, popular, hidden, and planned.
pub(super) fn marks(visit: &Visit<'_>, stored: &StoredProduct) -> Markup {
    let settings = &visit.served.tenant.settings;
    let product = &stored.product;
    let availability = Availability::of(product.stock, settings.low_stock_threshold);
    let is_new = product.is_visible_at(visit.now)
        && product.published_at >= visit.now.minus_days(settings.new_product_days);
    let all = [
        ("product-sold-out", availability == Availability::SoldOut),
        ("product-low", availability == Availability::Low),
        ("product-new", is_new),
        ("product-reduced", product.sale_price.is_some()),
        ("product-popular", product.popular),
        ("product-hidden", !product.active),
        ("product-planned", product.published_at > visit.now),
    ];
    html! { @for (text, _) in all.into_iter().filter(|(_, holds)| *holds) { " " span .mark { (visit.words.say(text)) } } }
}

/// The price, and the regular price when it is reduced.
pub(super) fn price(visit: &Visit<'_>, product: &Product) -> Markup {
    let words = visit.words;
    html! {
        (points(product.effective_price().get(), words))
        @if product.sale_price.is_some() { " " s { (number(Price::get(product.regular_price), words)) } }
    }
}

/// The pieces that are left.
pub(super) fn stock(visit: &Visit<'_>, product: &Product) -> Markup {
    html! {
        @match product.stock {
            Some(pieces) => (number(pieces.into(), visit.words)),
            None => (visit.words.say("product-unlimited")),
        }
    }
}
