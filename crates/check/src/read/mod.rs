//! Reading answers strictly: what a client may rely on, and everything that is not so.

mod category;
mod envelope;
mod history;
mod problem;
mod product;

pub use category::Category;
pub(crate) use category::{CATEGORY_RULES, category_list};
pub(crate) use envelope::{Envelope, Item, LIST_RULES, Links, Meta, product_list};
pub use history::{Bonus, Day, Group, Transaction};
pub(crate) use history::{DAY_RULES, HISTORY_RULES, HistoryMeta, HistoryPage, history_page};
pub(crate) use problem::{is_unauthenticated, validation_fields};
pub use product::Product;
pub(crate) use product::{DETAIL_RULES, product_detail};
