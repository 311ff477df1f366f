//! Members who collect and members who order, in addition to the users of the generated ledger.

/// The number of members who collect in turn.
pub(crate) const COLLECTORS: usize = 10_000;
/// The number of members who order in turn.
pub(crate) const BUYERS: usize = 256;
/// The product that all of them order: of unlimited stock, for one point. Each buyer has a product of the same kind, too.
pub(crate) const PRODUCT: &str = "ORDERED";
/// The step from one member to the next, so that neighbours in the database are not written together.
pub(crate) const STRIDE: usize = 7_919;
/// A member who collects alone.
pub(crate) const SINGLE: &str = "single";

/// The member who collects with this number. Numbers beyond the last start again.
pub(crate) fn collector(number: usize) -> String {
    format!("writer-{:05}", number * STRIDE % COLLECTORS)
}

pub(crate) fn buyers() -> impl Iterator<Item = String> {
    (0..BUYERS).map(|number| format!("buyer-{number}"))
}

/// The product of one buyer.
pub(crate) fn product_of(buyer: usize) -> String {
    format!("{PRODUCT}-{buyer}")
}

pub(super) fn products() -> String {
    let skus = [PRODUCT.to_owned()].into_iter().chain((0..BUYERS).map(product_of));
    let lines: Vec<String> = skus.map(|sku| format!("{sku},{PRODUCT},1\n")).collect();
    format!("sku,title,regular_price\n{}", lines.concat())
}

pub(super) fn collectors() -> String {
    let lines: Vec<String> = (0..COLLECTORS).map(|number| format!("{}\n", collector(number))).collect();
    format!("user_id\n{SINGLE}\n{}", lines.concat())
}

/// More points than the buyers can spend.
pub(super) fn fortunes() -> String {
    let line = |buyer| format!("{buyer},code,fortune,1000000000,Fortune,2026-01-01T00:00:00Z\n");
    format!(
        "user_id,type,source_id,points,title,created_at\n{}",
        buyers().map(line).collect::<Vec<_>>().concat()
    )
}
