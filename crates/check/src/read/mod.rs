//! Strict readers of responses: what a client may rely on, and everything that is not so.

mod category;
mod envelope;
mod history;

pub use category::Category;
pub(crate) use category::category_list;
pub use envelope::Product;
pub(crate) use envelope::{Envelope, Item, Links, Meta, product_detail, product_list};
pub use history::{Bonus, Day, Group, Transaction};
pub(crate) use history::{HistoryMeta, history_page};
