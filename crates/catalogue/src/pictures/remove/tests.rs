use pointbook_domain::{PictureFormat, Timestamp};
use pointbook_store::commands::RowChange;
use pointbook_store::ports::ProductUpsert;
use pointbook_store::schema::rows::ProductRow;
use pointbook_store::schema::{Cell, PICTURE_BYTES, PICTURES};
use pointbook_testkit::build;

use super::*;
use crate::commands::{RetireProducts, UpsertProducts};

const ID: PictureId = PictureId([7; 32]);
const VERSION: CatalogueVersion = CatalogueVersion(3);

fn picture() -> Picture {
    let created_at = Timestamp::from_micros(0).unwrap();
    Picture { id: ID, format: PictureFormat::Webp, width: 3, height: 2, size_bytes: 5, created_at }
}

fn facts() -> Facts {
    let mut facts = Facts::default();
    facts.load(picture());
    facts.load(CatalogueState { version: VERSION.0, low_stock_threshold: 5 });
    facts
}

#[test]
fn a_removed_picture_takes_its_bytes_along() {
    let mut facts = facts();
    let remove = RemovePicture { id: ID, version: VERSION };
    assert_eq!(remove.decide(&mut facts).unwrap(), RemovalOutcome::Removed);
    assert_eq!(remove.decide(&mut facts).unwrap(), RemovalOutcome::Unknown);
    let id = vec![Cell::Bytes(ID.0.into())];
    let removed = [&PICTURE_BYTES, &PICTURES].map(|table| RowChange::Remove(table, id.clone()));
    assert_eq!(facts.into_changes().rows(), removed);
}

#[test]
fn an_unknown_picture_is_no_error() {
    let id = PictureId([8; 32]);
    let mut facts = facts();
    facts.load_none::<Picture>(&id);
    assert_eq!(RemovePicture { id, version: VERSION }.decide(&mut facts).unwrap(), RemovalOutcome::Unknown);
}

#[test]
fn a_picture_stays_when_a_product_has_changed_meanwhile() {
    let remove = RemovePicture { id: ID, version: CatalogueVersion(2) };
    let mut later = facts();
    assert_eq!(remove.decide(&mut later).unwrap(), RemovalOutcome::OtherCatalogue);
    assert_eq!(later.into_changes().rows(), []);
}

/// Commands that share a commit see the version from before it.
#[test]
fn a_picture_stays_when_a_product_changes_in_the_same_commit() {
    let (remove, product) = (RemovePicture { id: ID, version: VERSION }, build::product("mug"));
    let mut created = facts();
    created.load_none::<ProductRow>(&product.id);
    let upsert = ProductUpsert { product: product.clone(), keep_published_at: false, keep_stock: false };
    UpsertProducts(vec![upsert]).decide(&mut created).unwrap();
    assert_eq!(remove.decide(&mut created).unwrap(), RemovalOutcome::OtherCatalogue);
    let mut retired = facts();
    let id = product.id.clone();
    let version = VERSION.0;
    retired.load(ProductRow { product, version, retired_at: None, stock_supplied: 0, reserved: 0 });
    RetireProducts { ids: vec![id], at: build::noon() }.decide(&mut retired).unwrap();
    assert_eq!(remove.decide(&mut retired).unwrap(), RemovalOutcome::OtherCatalogue);
}
