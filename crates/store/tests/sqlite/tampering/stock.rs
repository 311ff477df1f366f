//! Changed counts of products.

use super::victim::found;

#[tokio::test]
async fn a_changed_stock() {
    let change = "UPDATE products SET stock = 9 WHERE id = 'mug'";
    assert_eq!(found(change).await, ["product \"mug\": stock is 9 but 10 were supplied and orders took 2"]);
}

#[tokio::test]
async fn a_changed_supply() {
    let change = "UPDATE products SET stock_supplied = 11 WHERE id = 'mug'";
    assert_eq!(found(change).await, ["product \"mug\": stock is 8 but 11 were supplied and orders took 2"]);
}

#[tokio::test]
async fn a_stock_that_another_program_made_unlimited() {
    let change = "UPDATE products SET stock = NULL WHERE id = 'mug'";
    assert_eq!(found(change).await, ["product \"mug\": 10 pieces count as taken but orders took 2"]);
}

#[tokio::test]
async fn changed_reserved_pieces() {
    for (product, reserved, placed) in [("mug", 3, 2), ("cup", -1, 0)] {
        let change = format!("UPDATE products SET reserved = {reserved} WHERE id = '{product}'");
        let pieces = format!("{reserved} pieces are reserved but the placed orders hold {placed}");
        assert_eq!(found(&change).await, [format!("product {product:?}: {pieces}")]);
    }
}
