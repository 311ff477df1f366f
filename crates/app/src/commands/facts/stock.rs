//! The pieces of products that orders take and give back.

use pointbook_domain::{Order, Product, ProductId, Quantity};

use super::Facts;
use super::shelf::Shelf;
use crate::commands::CommandError;

impl Facts {
    /// The product that an order is for, unless it is retired.
    ///
    /// # Errors
    /// When the product was not loaded.
    pub fn offer(&self, id: &ProductId) -> Result<Option<&Product>, CommandError> {
        let found = self.shelves.get(id).ok_or_else(|| CommandError::not_loaded("products", id.as_str()))?;
        Ok(found.as_ref().filter(|shelf| !shelf.now.is_retired).map(|shelf| &shelf.now.product))
    }

    /// Takes and reserves pieces that are in stock; true when clients see another catalogue then.
    ///
    /// # Errors
    /// When the product is not there, or has fewer pieces.
    pub fn take_pieces(&mut self, id: &ProductId, quantity: Quantity) -> Result<bool, CommandError> {
        let stored = self.shelf(id)?;
        let pieces = quantity.get();
        let left = match stored.now.product.stock.map(|stock| stock.checked_sub(pieces)) {
            Some(None) => {
                return Err(CommandError::in_row("products", id.as_str(), "has fewer pieces than are taken"));
            }
            Some(Some(left)) => Some(left),
            None => None,
        };
        stored.reserve(i64::from(pieces))?;
        Ok(stored.set_stock(left))
    }

    /// Ends the reservation of an order's pieces: they went out.
    ///
    /// # Errors
    /// When the product is not there, or has fewer pieces reserved.
    pub fn release_pieces(&mut self, order: &Order) -> Result<(), CommandError> {
        self.shelf(&order.product.id)?.reserve(-i64::from(order.quantity.get()))
    }

    /// Gives back what an order took, where the stock is limited still; true when clients see another catalogue
    /// then.
    ///
    /// # Errors
    /// As [`Self::release_pieces`].
    pub fn give_back_pieces(&mut self, order: &Order) -> Result<bool, CommandError> {
        self.release_pieces(order)?;
        let stored = self.shelf(&order.product.id)?;
        if !order.takes_stock {
            return Ok(false);
        }
        // An unlimited stock is guarded, too: where it becomes limited meanwhile, the pieces come back.
        let Some(stock) = stored.now.product.stock else { return Ok(stored.set_stock(None)) };
        let left = stock.saturating_add(order.quantity.get());
        // Beyond the largest stock, pieces are given up: they count as never supplied.
        stored.supplied -= i64::from(order.quantity.get()) - i64::from(left - stock);
        Ok(stored.set_stock(Some(left)))
    }

    fn shelf(&mut self, id: &ProductId) -> Result<&mut Shelf, CommandError> {
        let stored =
            self.shelves.get_mut(id).ok_or_else(|| CommandError::not_loaded("products", id.as_str()))?;
        stored.as_mut().ok_or_else(|| CommandError::missing("products", id.as_str()))
    }
}
