//! Products and categories by orders and points.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use pointbook_domain::{Day, Product};
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::rows::{ProductDay, TreeRow, tree_of};
use pointbook_store::{StoreError, StoreResult};

use super::report::{Reading, Rows, Source};
use super::table::add;
use super::{Column, ColumnKind, DayRange, Report, Span, Value};

pub(super) static PRODUCTS: Report = Report {
    name: "products",
    title: "Products by points",
    about: "One row for each product with orders or cancellations in these days. The product with the most points comes first.",
    span: Span::Days,
    names_members: false,
    columns: &[
        Column { name: "product_id", kind: ColumnKind::Text("cafe-mug"), about: "The id of the product." },
        Column { name: "title", kind: ColumnKind::Text("Café mug"), about: "Its title now." },
        ORDERS,
        PIECES,
        POINTS,
        CANCELLED_ORDERS,
        CANCELLED_PIECES,
        CANCELLED_POINTS,
    ],
    read: |source| -> Reading<'_> { Box::pin(products(source)) },
    total: None,
};

pub(super) static CATEGORIES: Report = Report {
    name: "categories",
    title: "Categories by points",
    about: "One row for each category with orders or cancellations in these days. A product counts in each category that it has now. \
            The category with the most points comes first.",
    span: Span::Days,
    names_members: false,
    columns: &[
        Column { name: "category_id", kind: ColumnKind::Text("mugs"), about: "The id of the category." },
        Column { name: "label", kind: ColumnKind::Text("Mugs"), about: "Its label now." },
        ORDERS,
        PIECES,
        POINTS,
        CANCELLED_ORDERS,
        CANCELLED_PIECES,
        CANCELLED_POINTS,
    ],
    read: |source| -> Reading<'_> { Box::pin(categories(source)) },
    total: None,
};

const ORDERS: Column =
    Column { name: "orders", kind: ColumnKind::Count, about: "How many orders members placed." };
const PIECES: Column =
    Column { name: "pieces", kind: ColumnKind::Count, about: "How many pieces these orders had." };
const POINTS: Column =
    Column { name: "points", kind: ColumnKind::Points, about: "What members paid for them." };
const CANCELLED_ORDERS: Column = Column {
    name: "cancelled_orders",
    kind: ColumnKind::Count,
    about: "Orders that were cancelled in these days, whenever they were placed.",
};
const CANCELLED_PIECES: Column =
    Column { name: "cancelled_pieces", kind: ColumnKind::Count, about: "How many pieces these orders had." };
const CANCELLED_POINTS: Column =
    Column { name: "cancelled_points", kind: ColumnKind::Points, about: "What they gave back." };

/// Orders, pieces, points, and the same of cancelled orders.
type Sums = [i64; 6];

/// By product.
async fn sums(source: &Source<'_>) -> StoreResult<BTreeMap<String, Sums>> {
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    for row in product_days(source.data, source.range).await? {
        let placed = [row.orders, row.pieces, row.points];
        let cancelled = [row.cancelled_orders, row.cancelled_pieces, row.cancelled_points];
        add(sums.entry(row.product_id).or_default(), placed.into_iter().chain(cancelled));
    }
    Ok(sums)
}

/// How many orders members placed on each day.
///
/// # Errors
/// When the store fails.
pub async fn orders_by_day(data: &dyn TenantData, range: DayRange) -> StoreResult<Vec<i64>> {
    let mut orders: BTreeMap<Day, i64> = range.days().map(|day| (day, 0)).collect();
    for row in product_days(data, range).await? {
        *orders.entry(row.day).or_default() += row.orders;
    }
    Ok(orders.into_values().collect())
}

async fn product_days(data: &dyn TenantData, range: DayRange) -> StoreResult<Vec<ProductDay>> {
    let days = Query::of::<ProductDay>("product_days", &["day", "product_id"]);
    read_all(data, days.between("day", [&range.from, &range.until])).await
}

async fn ordered(
    source: &Source<'_>,
    ids: impl Iterator<Item = &String>,
) -> StoreResult<HashMap<String, Product>> {
    let products = Query::of::<Product>("report_products", &["id"]).one_of("id", ids.map(String::as_str));
    let products: Vec<Product> = read_all(source.data, products).await?;
    Ok(products.into_iter().map(|product| (product.id.as_str().to_owned(), product)).collect())
}

async fn products(source: &Source<'_>) -> StoreResult<Rows> {
    let sums = sums(source).await?;
    let products = ordered(source, sums.keys()).await?;
    let title = |id: &str| products.get(id).map_or_else(|| id.to_owned(), |product| product.title.clone());
    Ok(rows(sums.into_iter().map(|(id, sums)| (title(&id), id, sums))))
}

async fn categories(source: &Source<'_>) -> StoreResult<Rows> {
    let by_product = sums(source).await?;
    let products = ordered(source, by_product.keys()).await?;
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    for (id, product_sums) in by_product {
        for category in products.get(&id).into_iter().flat_map(|product| &product.categories) {
            add(sums.entry(category.as_str().to_owned()).or_default(), product_sums);
        }
    }
    let tree: Vec<TreeRow> = read_all(source.data, Query::of::<TreeRow>("labels", &[])).await?;
    let mut labels = HashMap::new();
    for row in &tree {
        let tree = tree_of(&row.categories).map_err(|corrupt| StoreError::Corrupt(corrupt.0))?;
        tree.visit(&mut |category, _, _| {
            labels.insert(category.id.as_str().to_owned(), category.label.clone());
        });
    }
    let label = |id: &str| labels.get(id).cloned().unwrap_or_else(|| id.to_owned());
    Ok(rows(sums.into_iter().map(|(id, sums)| (label(&id), id, sums))))
}

/// Sorted by points, the most first.
fn rows(named: impl Iterator<Item = (String, String, Sums)>) -> Rows {
    let mut named: Vec<_> = named.collect();
    named.sort_by_key(|(_, _, [_, _, points, ..])| Reverse(*points));
    let row = |(title, id, sums): (String, String, Sums)| {
        [Value::Text(id), Value::Text(title)].into_iter().chain(sums.map(Value::Number)).collect()
    };
    named.into_iter().map(row).collect()
}
