//! The list of products, with the filter of the management operation.

use maud::{Markup, html};
use pointbook_app::ports::StoredProduct;
use pointbook_domain::{Picture, Scope};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, number, pager};

use super::marks::{NEW, SECTION, marks, price, stock};
use pointbook_console_kit::components::{empty, respond, table};
use pointbook_console_kit::path_part::segment;
use pointbook_console_kit::visit::Visit;
use pointbook_console_pictures::PICTURES;
use pointbook_console_pictures::choice::{address_with, asked, parameter, sought_for};

const SEARCH: &str = "search";
const PRODUCTS_PER_PAGE: u32 = 50;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let sought = visit.query(SEARCH).trim().to_owned();
    let page = visit.page(PRODUCTS_PER_PAGE);
    let search = Some(&*sought).filter(|text| !text.is_empty());
    let products = visit.served.data.products(search, page).await?;
    let may_write = visit.signed_in()?.operator.role.has(Scope::ProductsWrite);
    let picture = asked(visit).await?.filter(|_| may_write);
    let (name, id) = picture.as_ref().map(parameter).unwrap_or_default();
    let rows = products.items.iter().map(|product| row(visit, product, picture.as_ref()));
    let rows: Vec<Vec<Markup>> = rows.collect();
    let total = i64::try_from(products.total).unwrap_or(i64::MAX);
    let headings =
        ["product-title", "product-id", "product-sku", "product-price", "product-stock", "product-reserved"];
    let addresses = visit.address_of_pages(SECTION, &[(SEARCH, &sought), (name, &id)]);
    let new =
        picture.as_ref().map_or_else(|| visit.path(NEW), |picture| address_with(&visit.path(NEW), picture));
    let content = html! {
        @if let Some(picture) = &picture { (sought_for(visit, picture)) }
        form .filters method="get" action=(visit.path(SECTION)) role="search" aria-label=(words.say("product-search")) data-live="#results" {
            @if picture.is_some() { input type="hidden" name=(name) value=(id); }
            label { (words.say("product-search")) input type="search" name=(SEARCH) value=(sought) maxlength="255"; }
            button { (words.say("product-find")) }
        }
        p .buttons {
            @if may_write { a .button href=(new) { (words.say("product-add")) } " " }
            a href=(visit.path(PICTURES)) { (words.say("pictures-all")) }
        }
        div #results {
            p .count role="status" { (words.with("product-found", "count", number(total, words))) }
            @if rows.is_empty() {
                (empty(visit, if sought.is_empty() { "product-none" } else { "product-none-found" }))
            } @else {
                (table(visit, &headings, &rows))
            }
            (pager(words, &page.window(products.total), &addresses))
        }
    };
    Ok(respond(visit, SECTION, &words.say("products"), &content))
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
