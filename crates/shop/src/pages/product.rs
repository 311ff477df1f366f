//! The page of one product, and products in the form that clients of the interface read.

use http::StatusCode;
use maud::{Markup, PreEscaped, html};
use pointbook_catalogue::cache::snapshot;
use pointbook_catalogue::index::Snapshot;
use pointbook_domain::order::MAX_ORDER_QUANTITY;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, Words, html_in, points};
use pointbook_http::query_string::encode_into;
use pointbook_store::StoreError;
use serde::Deserialize;

use super::list_query::{LIST, carried, with_list};
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

/// A product, as the interface documents it.
#[derive(Deserialize)]
pub(super) struct ShownProduct {
    pub(super) id: String,
    pub(super) title: String,
    /// HTML that the service cleaned when it was stored.
    description: String,
    regular_price: i64,
    sale_price: Option<i64>,
    thumbnail: String,
    gallery: Vec<String>,
    /// Not in the JSON: clients of the interface learn it when they order.
    #[serde(skip)]
    pub(super) is_sold_out: bool,
}

impl ShownProduct {
    pub(super) fn read(snapshot: &Snapshot, json: &[u8]) -> Result<Self, PageError> {
        let product: Self = serde_json::from_slice(json)
            .map_err(|error| StoreError::Corrupt(format!("a product in memory: {error}")))?;
        Ok(Self { is_sold_out: snapshot.is_sold_out(&product.id), ..product })
    }

    /// The product with this id.
    ///
    /// # Errors
    /// [`PageError::NotFound`] without such a product.
    pub(super) async fn find(visit: &Visit<'_>, id: &str) -> Result<Self, PageError> {
        let snapshot = snapshot(&visit.served, visit.now).await?;
        Self::read(&snapshot, snapshot.product(id).ok_or(PageError::NotFound)?.json)
    }

    /// The price of one piece.
    pub(super) fn price(&self) -> i64 {
        self.sale_price.unwrap_or(self.regular_price)
    }

    /// The price, and the regular price when it is reduced.
    pub(super) fn priced(&self, words: &Words) -> Markup {
        html! {
            p .price {
                strong { (points(self.price(), words)) }
                @if self.sale_price.is_some() {
                    " " s { span .unseen { (words.say("instead-of")) " " } (points(self.regular_price, words)) }
                }
            }
        }
    }

    /// Says that no piece is left.
    pub(super) fn mark(&self, words: &Words) -> Markup {
        html! { @if self.is_sold_out { span .mark { (words.say("sold-out")) } } }
    }

    /// Its picture, or its first letter.
    pub(super) fn picture(&self, visit: &Visit<'_>) -> Markup {
        let letter = self.title.trim().chars().next().unwrap_or('?');
        html! {
            @if self.thumbnail.is_empty() {
                span .picture aria-hidden="true" { (letter) }
            } @else {
                img .picture data-letter=(letter) src=(source(visit, &self.thumbnail)) alt="" loading="lazy" width="400" height="400";
            }
        }
    }
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
    let product = ShownProduct::find(visit, &visit.param("id")?).await?;
    let words = visit.words;
    let list = carried(visit.request.uri.query());
    let content = html! {
        p .back { a href=(with_list(&visit.root, &list)) { "← " (words.say("to-gifts")) } }
        article .product {
            div .pictures {
                (product.picture(visit))
                @for url in product.gallery.iter().filter(|url| **url != product.thumbnail) {
                    img src=(source(visit, url)) alt="" loading="lazy" width="400" height="400";
                }
            }
            div {
                h1 { (product.title.trim()) }
                (product.priced(words))
                (product.mark(words))
                (order_form(visit, &product, &list)?)
                div .description { (PreEscaped(&product.description)) }
            }
        }
    };
    let page = shop_page(visit, Tab::Products, product.title.trim(), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// Asks how many pieces. It says why when no piece is left, or when the points are not enough for one.
fn order_form(visit: &Visit<'_>, product: &ShownProduct, list: &str) -> Result<Markup, PageError> {
    let words = visit.words;
    let missing = visit.session()?.missing(product.price());
    Ok(html! {
        @if product.is_sold_out {
            p .hint #sold-out { (words.say("refused-sold-out")) }
            p { button disabled aria-describedby="sold-out" { (words.say("order")) } }
        } @else if missing > 0 {
            p .hint { (words.with("points-missing", "points", points(missing, words))) }
        } @else {
            form .order method="get" action=(visit.path("/order")) {
                input type="hidden" name="product" value=(product.id);
                @if !list.is_empty() { input type="hidden" name=(LIST) value=(list); }
                label { (words.say("quantity")) " "
                    input type="number" name="quantity" value="1" min="1" max=(MAX_ORDER_QUANTITY) required;
                }
                button { (words.say("order")) }
            }
        }
    })
}
