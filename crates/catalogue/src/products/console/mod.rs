//! Products: the list, the editor, the stock, and retirement.

mod bulk;
mod editor;
mod form;
pub(crate) mod form_values;
mod list;
mod picture_steps;
mod pictures;
mod save;
mod stock;

use pointbook_access::console_kit::navigation::rows;
use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::Scope;

use self::form::TEXTS;
use crate::pictures::upload::UPLOAD;
use pointbook_store::schema;

const READ: Access = Access::Scope(Scope::ProductsRead);
const WRITE: Access = Access::Scope(Scope::ProductsWrite);

pub(crate) static PAGES: [PageSpec; 16] = [
    page!("console.products", GET "/products", READ, ["manage.products.list"], list::show)
        .counting(|served, _| rows(served, &schema::PRODUCTS)),
    page!("console.products.bulk", POST "/products", WRITE, ["manage.products.bulk"], bulk::change),
    page!("console.new_product", GET "/new-product", WRITE, ["manage.products.put"], editor::new),
    page!(
        "console.new_product.create",
        POST "/new-product",
        WRITE,
        ["manage.pictures.add", "manage.products.put"],
        save::create,
        UPLOAD
    ),
    page!("console.new_product.preview", POST "/new-product/preview", WRITE, ["manage.products.put"], save::preview_new, TEXTS),
    page!(
        "console.new_product.choose_picture",
        POST "/new-product/picture",
        WRITE,
        ["manage.pictures.list", "manage.products.put"],
        save::choose_for_new,
        TEXTS
    ),
    page!("console.product", GET "/products/{id}", READ, ["manage.products.show"], editor::show),
    page!(
        "console.product.save",
        POST "/products/{id}",
        WRITE,
        ["manage.pictures.add", "manage.products.patch"],
        save::change,
        UPLOAD
    ),
    page!("console.product.preview", POST "/products/{id}/preview", WRITE, ["manage.products.patch"], save::preview, TEXTS),
    page!("console.product.add_stock", POST "/products/{id}/stock", WRITE, ["manage.products.adjust_stock"], stock::add, TEXTS),
    page!("console.product.set_stock", POST "/products/{id}/set-stock", WRITE, ["manage.products.patch"], stock::set, TEXTS),
    page!(
        "console.product.add_picture",
        POST "/products/{id}/pictures",
        WRITE,
        ["manage.pictures.add", "manage.products.patch"],
        pictures::upload,
        UPLOAD
    ),
    page!(
        "console.product.show_picture",
        POST "/products/{id}/show-picture",
        WRITE,
        ["manage.pictures.list", "manage.products.patch"],
        pictures::choose,
        TEXTS
    ),
    page!("console.product.take_picture", POST "/products/{id}/take-picture", WRITE, ["manage.products.patch"], pictures::take, TEXTS),
    page!("console.product.move_picture", POST "/products/{id}/move-picture", WRITE, ["manage.products.patch"], pictures::shift, TEXTS),
    page!("console.product.retire", POST "/products/{id}/retire", WRITE, ["manage.products.retire"], stock::retire),
];
