//! Orders: the queue of those that wait to be sent, one order, and the packing list.

mod fulfil_many;
pub(crate) mod list;
mod packing_list;
mod parts;
mod show;

use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::Scope;

const READ: Access = Access::Scope(Scope::OrdersRead);
const WRITE: Access = Access::Scope(Scope::OrdersWrite);

pub(crate) static PAGES: [PageSpec; 6] = [
    page!("console.orders", GET "/orders", READ, ["manage.orders.list"], list::show).counting(list::waiting),
    page!("console.orders.fulfil_many", POST "/orders", WRITE, ["manage.orders.fulfil"], fulfil_many::fulfil),
    page!("console.orders.packing_list", GET "/packing-list", READ, ["manage.orders.list"], packing_list::show),
    page!("console.order", GET "/orders/{id}", READ, ["manage.orders.show"], show::show),
    page!("console.order.fulfil", POST "/orders/{id}/fulfil", WRITE, ["manage.orders.fulfil"], show::fulfil),
    page!("console.order.cancel", POST "/orders/{id}/cancel", WRITE, ["manage.orders.cancel"], show::cancel),
];
