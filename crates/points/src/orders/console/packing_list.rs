//! The packing list: the orders that wait to be sent, as a file for a spreadsheet.

use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::csv_file::{CsvCell, csv_of_rows};
use pointbook_domain::{Order, OrderStatus};
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_store::ports::OrderFilter;

/// The most orders of a list. They are the oldest ones.
const MAX_ORDERS: usize = 10_000;
const ORDERS_PER_READ: u32 = 1_000;

/// The names of the columns, as the interface has them.
const COLUMNS: [&str; 6] = ["number", "user_id", "sku", "title", "quantity", "created_at"];

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let name = format!("packing-list-{}.csv", visit.served.local_time(visit.now).day);
    Ok(csv_of_rows(&name, &COLUMNS, waiting(visit).await?.iter().map(row)))
}

async fn waiting(visit: &Visit<'_>) -> Result<Vec<Order>, PageError> {
    let filter = OrderFilter { status: Some(OrderStatus::Placed), ..OrderFilter::default() };
    let mut orders: Vec<Order> = Vec::new();
    loop {
        let more = visit.served.data.orders_after(&filter, orders.last(), ORDERS_PER_READ).await?;
        let is_last = more.len() < ORDERS_PER_READ as usize;
        orders.extend(more);
        if is_last || orders.len() >= MAX_ORDERS {
            return Ok(orders);
        }
    }
}

fn row(order: &Order) -> Vec<CsvCell> {
    let Order { number, user_id, product, quantity, created_at, .. } = order;
    vec![
        CsvCell::text(number),
        CsvCell::text(user_id),
        CsvCell::text(&product.sku),
        CsvCell::text(&product.title),
        CsvCell::Number(quantity.get().into()),
        CsvCell::text(created_at),
    ]
}
