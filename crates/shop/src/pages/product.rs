//! The page of one product, and products in the form that clients of the interface read.

use http::StatusCode;
use maud::{Markup, PreEscaped, html};
use pointbook_catalogue::cache::snapshot;
use pointbook_catalogue::index::{Marks, ProductFilter, ProductQuery, Snapshot};
use pointbook_domain::order::MAX_ORDER_QUANTITY;
use pointbook_domain::{PageNumber, PageRequest, PageSize};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, Words, html_in, number, points};
use pointbook_http::query_string::encode_into;
use pointbook_store::StoreError;
use serde::Deserialize;

use super::list_query::{LIST, carried, with_list};
use super::products::card;
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

/// A product, as the interface documents it.
#[derive(Deserialize)]
pub(super) struct ShownProduct {
    pub(super) id: String,
    pub(super) title: String,
    sku: String,
    /// HTML that the service cleaned when it was stored.
    description: String,
    regular_price: i64,
    sale_price: Option<i64>,
    pub(super) thumbnail: String,
    gallery: Vec<String>,
    /// Not in the JSON: clients of the interface have filters for them.
    #[serde(skip)]
    pub(super) marks: Marks,
}

impl ShownProduct {
    pub(super) fn read(visit: &Visit<'_>, snapshot: &Snapshot, json: &[u8]) -> Result<Self, PageError> {
        let product: Self = serde_json::from_slice(json)
            .map_err(|error| StoreError::Corrupt(format!("a product in memory: {error}")))?;
        let new_since = visit.now.minus_days(visit.served.tenant.settings.new_product_days);
        Ok(Self { marks: snapshot.marks(&product.id, new_since), ..product })
    }

    /// The product with this id.
    ///
    /// # Errors
    /// [`PageError::NotFound`] without such a product.
    pub(super) async fn find(visit: &Visit<'_>, id: &str) -> Result<Self, PageError> {
        let snapshot = snapshot(&visit.served, visit.now).await?;
        Self::find_in(visit, &snapshot, id)
    }

    fn find_in(visit: &Visit<'_>, snapshot: &Snapshot, id: &str) -> Result<Self, PageError> {
        Self::read(visit, snapshot, snapshot.product(id).ok_or(PageError::NotFound)?.json)
    }

    /// The price of one piece.
    pub(super) fn price(&self) -> i64 {
        self.sale_price.unwrap_or(self.regular_price)
    }

    /// The price with its number in front, and the regular price when it is reduced.
    pub(super) fn priced(&self, words: &Words) -> Markup {
        let (price, amount) = (points(self.price(), words), number(self.price(), words));
        let (before, after) = price.split_once(&*amount).unwrap_or((&price, ""));
        html! {
            span .price {
                (before) strong { (amount) } (after)
                @if self.sale_price.is_some() {
                    " " s { span .unseen { (words.say("instead-of")) " " } (number(self.regular_price, words)) }
                }
            }
        }
    }

    /// What is special about it, in words, the most important first.
    pub(super) fn badges(&self, words: &Words, most: usize) -> Markup {
        let Marks { is_sold_out, is_low_stock, is_new, is_popular } = self.marks;
        let all = [
            (is_sold_out, "sold-out"),
            (is_low_stock, "few-left"),
            (self.sale_price.is_some(), "on-sale"),
            (is_new, "new-products"),
            (is_popular, "popular"),
        ];
        let shown: Vec<_> = all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| text).collect();
        html! {
            @if !shown.is_empty() {
                span .marks { @for text in shown.iter().take(most) { span .mark data-mark=(text) { (words.say(text)) } " " } }
            }
        }
    }

    /// What the member lacks for it, as a text with this id, and how far the points go. Nothing when they are enough, or when no piece is
    /// left.
    pub(super) fn missing(&self, visit: &Visit<'_>, text: &str) -> Result<Option<Markup>, PageError> {
        let session = visit.session()?;
        let missing = session.missing(self.price());
        let percent = session.points.get().max(0).saturating_mul(100) / self.price().max(1);
        let shown = || {
            html! {
                span .missing {
                    (visit.words.with(text, "points", points(missing, visit.words)))
                    svg .meter aria-hidden="true" {
                        rect width="100%" height="100%" {}
                        rect .fill width={ (percent) "%" } height="100%" {}
                    }
                }
            }
        };
        Ok((missing > 0 && !self.marks.is_sold_out).then(shown))
    }

    pub(super) fn picture(&self, visit: &Visit<'_>) -> Markup {
        picture(visit, &self.title, &self.thumbnail)
    }
}

/// The picture of a gift with this title, or its first letter.
pub(super) fn picture(visit: &Visit<'_>, title: &str, url: &str) -> Markup {
    let letter = title.trim().chars().next().unwrap_or('?');
    html! {
        @if url.is_empty() {
            span .picture aria-hidden="true" { (letter) }
        } @else {
            img .picture data-letter=(letter) src=(source(visit, url)) alt="" loading="lazy" width="400" height="400";
        }
    }
}

/// How many other gifts the page of a gift shows.
const ALIKE: u32 = 4;

/// The newest other gifts of its categories.
fn alike(visit: &Visit<'_>, snapshot: &Snapshot, id: &str) -> Result<Vec<ShownProduct>, PageError> {
    let categories = Some(snapshot.categories_of(id));
    let filter = ProductFilter { categories, ..ProductFilter::default() };
    // It may be one of them.
    let size = PageSize::new(ALIKE + 1).unwrap_or(PageSize::DEFAULT);
    let page = PageRequest { number: PageNumber::FIRST, size };
    let list = snapshot.list(&ProductQuery { filter, ..ProductQuery::default() }, page);
    let products = list.items.iter().map(|item| ShownProduct::read(visit, snapshot, item.json));
    let others = products.filter(|product| product.as_ref().map_or(true, |product| product.id != id));
    others.take(ALIKE as usize).collect()
}

/// The URL of a picture. One of this server is given as a path, because a browser may know the server by another name.
fn source<'u>(visit: &Visit<'_>, url: &'u str) -> &'u str {
    url.strip_prefix(visit.served.tenant.base_url.origin())
        .filter(|path| path.starts_with('/') && !path.starts_with("//"))
        .unwrap_or(url)
}

/// The path of the page of a product, to which this list led.
pub(super) fn path_of(visit: &Visit<'_>, product: &str, list: &str) -> String {
    let mut id = Vec::new();
    encode_into(product.as_bytes(), &mut id);
    with_list(&visit.path(&format!("/products/{}", String::from_utf8_lossy(&id))), list)
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let snapshot = snapshot(&visit.served, visit.now).await?;
    let product = ShownProduct::find_in(visit, &snapshot, &visit.param("id")?)?;
    let words = visit.words;
    let list = carried(visit.request.uri.query());
    let others: Vec<_> = product.gallery.iter().filter(|url| **url != product.thumbnail).collect();
    let swipes = !others.is_empty();
    let gallery = words.say("pictures");
    let alike = alike(visit, &snapshot, &product.id)?;
    let content = html! {
        p .back { a href=(with_list(&visit.root, &list)) { "← " (words.say("to-gifts")) } }
        article .product {
            div .pictures role=[swipes.then_some("group")] aria-label=[swipes.then_some(&gallery)] tabindex=[swipes.then_some("0")] {
                (product.picture(visit))
                @for url in others { img src=(source(visit, url)) alt="" loading="lazy" width="400" height="400"; }
            }
            div {
                (product.badges(words, usize::MAX))
                h1 { (product.title.trim()) }
                (product.priced(words))
                (order_form(visit, &product, &list)?)
                div .description { (PreEscaped(&product.description)) }
                @if !product.sku.is_empty() { dl .sums { dt { (words.say("article")) } dd { (product.sku) } } }
            }
        }
        @if !alike.is_empty() {
            h2 { (words.say("more-like-this")) }
            ul .cards { @for product in &alike { li { (card(visit, product, &list)?) } } }
        }
    };
    let page = shop_page(visit, Tab::Products, product.title.trim(), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// Asks how many pieces, and says what stays. It says why when no piece is left, or when the points are not enough for one. On a phone,
/// the form stays at the lower edge.
fn order_form(visit: &Visit<'_>, product: &ShownProduct, list: &str) -> Result<Markup, PageError> {
    let words = visit.words;
    let left = visit.session()?.points.get().saturating_sub(product.price());
    Ok(html! {
        @if product.marks.is_sold_out {
            p .hint #sold-out { (words.say("refused-sold-out")) }
            p { button disabled aria-describedby="sold-out" { (words.say("order")) } }
        } @else if let Some(missing) = product.missing(visit, "points-missing")? {
            p .hint { (missing) }
        } @else {
            form .order method="get" action=(visit.path("/order")) {
                input type="hidden" name="product" value=(product.id);
                @if !list.is_empty() { input type="hidden" name=(LIST) value=(list); }
                label { span .unseen { (words.say("quantity")) }
                    input type="number" name="quantity" value="1" min="1" max=(MAX_ORDER_QUANTITY) required;
                }
                button { (words.with("order-each", "points", points(product.price(), words))) }
            }
            p .quiet { (words.with("keep-after", "points", points(left, words))) }
        }
    })
}
