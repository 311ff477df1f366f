//! Orders that are placed and closed.

use pointbook_domain::{Order, OrderId};

use super::Facts;
use crate::commands::CommandError;

impl Facts {
    /// An order; `None` when there is none with this id.
    ///
    /// # Errors
    /// When the order was not loaded.
    pub fn order(&self, id: &OrderId) -> Result<Option<&Order>, CommandError> {
        Ok(self.orders.get(id).ok_or_else(|| CommandError::not_loaded("orders", id.as_str()))?.as_ref())
    }

    /// The order if it was loaded and exists.
    pub fn loaded_order(&self, id: &OrderId) -> Option<&Order> {
        self.orders.get(id)?.as_ref()
    }

    /// Adds an order; its id and its number are new.
    pub fn place(&mut self, order: Order) {
        self.order_names.insert(order.id.as_str().to_owned(), true);
        self.new_orders.push(order);
    }

    /// Closes an order that is placed: it goes on as this.
    pub fn close(&mut self, order: Order) {
        self.orders.insert(order.id.clone(), Some(order.clone()));
        self.closed_orders.push(order);
    }
}
