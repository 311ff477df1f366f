//! The list of products, with the filters of the management operation and the hidden products, and the marks of a product at a glance.

use std::collections::HashMap;

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{clipped, field, quiet_number};
use pointbook_access::console_kit::icons::Icon;
use pointbook_access::console_kit::lists::{Bar, Chip, Column, Sort, found, no_rows, sorted_table, thing};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::{Sheet, link, more, primary};
use pointbook_domain::{Availability, CategoryId, CategoryTree, Picture, Price, Product};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, number, pager};
use pointbook_store::ports::StoredProduct;

use super::bulk::Changed;
use super::editor::may_write;
use super::form::whole_digits;
use crate::categories::console::choice::{Filtered, filter_choice};
use crate::pictures::console::PICTURES;
use crate::pictures::console::choice::{address_with, asked, parameter, sought_for};
use crate::products::list_managed::{ProductListFilter, list_products};
use crate::products::ordered::Ordered;
use crate::products::query::MANAGED_SORTS;

const PRODUCTS_PER_PAGE: u32 = 40;

const COLUMNS: [Column; 8] = [
    Column::BOXES,
    Column::text("product-title").sorted("title"),
    Column::text("product-sku").rank(2),
    Column::text("product-category").rank(3),
    Column::number("product-points").sorted("price"),
    Column::number("product-stock").sorted("stock"),
    Column::number("product-reserved").rank(3).sorted("-reserved"),
    Column::number("product-ordered").rank(2),
];

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &Changed::default()).await
}

/// The list, after a change of the products that were ticked, if there was one.
pub(super) async fn page(visit: &Visit<'_>, changed: &Changed) -> Result<Response, PageError> {
    let words = visit.words;
    let (filter, page) = (Filter::of(visit), visit.page(PRODUCTS_PER_PAGE));
    let tree = visit.served.data.categories().await?;
    let categories = filter.categories(&tree);
    let products = list_products(&visit.served, filter.read(categories.as_ref()), page, visit.now).await?;
    let picture = asked(visit).await?.filter(|_| may_write(visit));
    let (name, id) = picture.as_ref().map(parameter).unwrap_or_default();
    let labels = labels(&tree);
    let ids = products.items.iter().map(|stored| &stored.product.id);
    let ordered = Ordered::of(&visit.served, ids, visit.now).await?;
    let has_boxes = picture.is_none() && may_write(visit);
    let shown = usize::from(!has_boxes)..COLUMNS.len() - usize::from(ordered.is_none());
    let row = |stored: &StoredProduct| {
        let cells = row(visit, stored, &labels, picture.as_ref());
        let id = &stored.product.id;
        let pieces = ordered.as_ref().map(|ordered| quiet_number(ordered.pieces(id), words));
        let cells = std::iter::once(changed.tick(visit, stored)).chain(cells).chain(pieces);
        cells.skip(shown.start).collect()
    };
    let rows: Vec<Vec<Markup>> = products.items.iter().map(row).collect();
    let kept = (name, id.as_str());
    let parameters: Vec<(&str, &str)> = filter.parameters().chain([kept]).collect();
    let addresses = visit.address_of_pages(SECTION, &parameters);
    let without = |changed: &str, value: &str| {
        let parameters: Vec<_> = filter.with(changed, value).chain([kept]).collect();
        format!("{}1", visit.address_of_pages(SECTION, &parameters))
    };
    let window = page.window(products.total);
    let bar = Bar {
        action: visit.path(SECTION),
        search: Some(("product-search", SEARCH, filter.get(SEARCH))),
        chips: filter.chips(visit, &labels, |name| without(name, "")),
        filters: filter.fields(visit, &tree),
        hidden: html! {
            @for (name, value) in [(name, &*id), (SORT, filter.get(SORT))].into_iter().filter(|(_, value)| !value.is_empty()) {
                input type="hidden" name=(name) value=(value);
            }
        },
        found: found(visit, &window),
    };
    let refused = changed.refused(visit).await?;
    let sorted = |by: &str| without(SORT, by);
    let sort = Sort { by: filter.get(SORT), address: &sorted };
    let table = || {
        sorted_table(
            visit,
            &words.say("products"),
            COLUMNS.get(shown.clone()).unwrap_or_default(),
            &rows,
            sort,
        )
    };
    let content = html! {
        (changed.said(visit))
        @if let Some(picture) = &picture { (sought_for(visit, picture)) }
        (bar.markup(visit))
        div #results {
            @if let Some(label) = filter.bad_price() {
                p .error role="alert" { (words.say(label)) ": " (words.say("mistake-not_an_integer")) }
            }
            @if let Some(categories) = &categories { (categories.shown(visit, |category| without(CATEGORY, category))) }
            @if rows.is_empty() {
                (no_rows(visit, &window, filter.restricts(), ("product-none", may_write(visit).then_some((NEW, "product-add"))), &visit.path(SECTION)))
            } @else if has_boxes {
                (changed.form(visit, &format!("{addresses}{}", page.number.get()), &table())?)
            } @else {
                (table())
            }
            (pager(words, &window, &addresses))
        }
        (refused)
    };
    let newest = sorted("-version");
    let sheet =
        Sheet::new(visit, SECTION, words.say("products")).actions(actions(visit, picture.as_ref(), &newest));
    Ok(sheet.respond_with(changed.code(), &content))
}

fn actions(visit: &Visit<'_>, picture: Option<&Picture>, newest: &str) -> Markup {
    let new = visit.path(NEW);
    let new = picture.map_or_else(|| new.clone(), |picture| address_with(&new, picture));
    let pictures = link(visit, Icon::Picture, &visit.path(PICTURES), "pictures-all");
    let newest = link(visit, Icon::Down, newest, "product-newest");
    let imports = link(visit, Icon::Imports, &visit.path("/imports"), "imports");
    html! {
        @if may_write(visit) {
            (more(visit, &[newest, pictures, imports]))
            (primary(visit, &new, "product-add"))
        } @else {
            (more(visit, &[newest, pictures]))
        }
    }
}

/// The names of the categories by their ids.
pub(super) fn labels(tree: &CategoryTree) -> HashMap<&str, &str> {
    let mut labels = HashMap::new();
    tree.visit(&mut |category, _, _| {
        labels.insert(category.id.as_str(), category.label.as_str());
    });
    labels
}

/// `picture` is the one that the product shall show.
fn row(
    visit: &Visit<'_>,
    stored: &StoredProduct,
    labels: &HashMap<&str, &str>,
    picture: Option<&Picture>,
) -> Vec<Markup> {
    let product = &stored.product;
    let path = visit.path(&format!("/products/{}", segment(product.id.as_str())));
    let path =
        picture.map_or_else(|| path.clone(), |picture| format!("{}#pictures", address_with(&path, picture)));
    let thumbnail = Some(product.thumbnail.as_str()).filter(|url| !url.is_empty());
    let named = |id: &CategoryId| labels.get(id.as_str()).copied().unwrap_or(id.as_str()).to_owned();
    let categories: Vec<String> = product.categories.iter().map(named).collect();
    vec![
        thing(thumbnail, &path, product.title.trim(), &marks(visit, stored), &product.sku),
        html! { span .mono .quiet .whole title=(product.sku) { (clipped(&product.sku, MAX_SKU)) } },
        html! { (clipped(&categories.join(", "), MAX_CATEGORIES)) },
        price(visit, product),
        stock(visit, product),
        quiet_number(i64::try_from(stored.reserved).unwrap_or(i64::MAX), visit.words),
    ]
}

/// The most characters of the names of categories in a row.
const MAX_CATEGORIES: usize = 40;
/// The most characters of an SKU, which stays in one line.
const MAX_SKU: usize = 20;

/// The names of the parameters in the address.
const SEARCH: &str = "search";
pub(super) const CATEGORY: &str = "category";
const MIN: &str = "min";
const MAX: &str = "max";
/// As the interface has it.
const SORT: &str = "sort";

/// The boxes, with the words that mark such products in the list.
const FLAGS: [(&str, &str); 5] = [
    ("new", "product-new"),
    ("low", "stock-low"),
    ("reduced", "product-reduced"),
    ("popular", "product-popular"),
    ("hidden", "product-hidden"),
];

/// What an operator typed into the form, by the names of its parameters.
pub(super) struct Filter(Vec<(&'static str, String)>);

impl Filter {
    pub(super) fn of(visit: &Visit<'_>) -> Self {
        let names = [SEARCH, CATEGORY, MIN, MAX, SORT].into_iter().chain(FLAGS.map(|(name, _)| name));
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
        self.0.iter().any(|(name, value)| *name != SORT && !value.is_empty())
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

    /// The parameters of the address of the list with this value in place of the typed one.
    fn with<'f>(&'f self, changed: &'f str, other: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        self.parameters().map(move |(name, value)| (name, if name == changed { other } else { value }))
    }

    /// What restricts the list beside the search, in words.
    fn chips(
        &self,
        visit: &Visit<'_>,
        labels: &HashMap<&str, &str>,
        without: impl Fn(&str) -> String,
    ) -> Vec<Chip> {
        let words = visit.words;
        let category = labels.get(self.get(CATEGORY)).copied().unwrap_or(self.get(CATEGORY));
        let prices = [(MIN, "product-from"), (MAX, "product-to")];
        let price = |(name, text)| (name, words.with(text, "points", self.get(name)).into_owned());
        let flags = FLAGS.map(|(name, text)| (name, words.say(text).into_owned()));
        let all = [(CATEGORY, category.to_owned())].into_iter().chain(prices.map(price)).chain(flags);
        let held = all.filter(|(name, _)| self.is_set(name));
        held.map(|(name, text)| Chip { text, without: without(name) }).collect()
    }

    pub(super) fn read(&self, categories: Option<&Filtered<'_>>) -> ProductListFilter {
        ProductListFilter {
            search: Some(self.get(SEARCH).to_owned()).filter(|text| !text.is_empty()),
            categories: categories.map(Filtered::ids),
            min_price: self.points(MIN),
            max_price: self.points(MAX),
            only_new: self.is_set("new"),
            low_stock: false,
            scarce: self.is_set("low"),
            on_sale: self.is_set("reduced"),
            popular: self.is_set("popular"),
            active: self.is_set("hidden").then_some(false),
            sort: MANAGED_SORTS.into_iter().find(|(name, _)| *name == self.get(SORT)).map(|(_, sort)| sort),
        }
    }

    /// The fields of the menu.
    fn fields(&self, visit: &Visit<'_>, tree: &CategoryTree) -> Markup {
        let words = visit.words;
        let price = |name: &str, label: &str| {
            field(
                visit,
                label,
                html! { input name=(name) value=(self.get(name)) inputmode="numeric" maxlength="30"; },
            )
        };
        html! {
            (field(visit, "product-category", filter_choice(visit, tree, CATEGORY, self.get(CATEGORY))))
            (price(MIN, "product-min-price"))
            (price(MAX, "product-max-price"))
            fieldset .bare {
                legend .unseen { (words.say("product-only")) }
                @for (name, label) in FLAGS {
                    label .check { input type="checkbox" name=(name) value="1" checked[self.is_set(name)]; (words.say(label)) } " "
                }
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
        ("product-sold-out", "bad", availability == Availability::SoldOut),
        ("product-low", "warn", availability == Availability::Low),
        ("product-new", "accent", is_new),
        ("product-popular", "", product.popular),
        ("product-hidden", "", !product.active),
        ("product-planned", "", product.published_at > visit.now),
    ];
    html! {
        @for (text, state, _) in all.into_iter().filter(|(.., holds)| *holds) { " " span class=(format!("badge {state}")) { (visit.words.say(text)) } }
    }
}

/// The price in points, after the regular price when it is reduced.
pub(super) fn price(visit: &Visit<'_>, product: &Product) -> Markup {
    let words = visit.words;
    html! {
        @if product.sale_price.is_some() { s .quiet { (number(Price::get(product.regular_price), words)) } " " }
        (number(product.effective_price().get(), words))
    }
}

/// The pieces that are left. Few and none stand out.
pub(super) fn stock(visit: &Visit<'_>, product: &Product) -> Markup {
    let availability = Availability::of(product.stock, visit.served.tenant.settings.low_stock_threshold);
    let state = match availability {
        Availability::SoldOut => Some("bad strong"),
        Availability::Low => Some("warn strong"),
        Availability::Plenty => None,
    };
    html! {
        @match product.stock {
            Some(pieces) => span class=[state] { (number(pieces.into(), visit.words)) },
            None => span .quiet { span aria-hidden="true" { "∞" } span .unseen { (visit.words.say("product-unlimited")) } },
        }
    }
}
