use pointbook_domain::{PictureFormat, Timestamp};
use pointbook_store::commands::{CatalogueRow, RowsNeed};
use pointbook_store::ports::ProductUpsert;
use pointbook_store::schema::{Row, Write};
use pointbook_testkit::build;

use super::*;
use crate::commands::{RetireProducts, UpsertProducts};

const ID: PictureId = PictureId([7; 32]);
const VERSION: CatalogueVersion = CatalogueVersion(3);

fn picture() -> Picture {
    let created_at = Timestamp::from_micros(0).unwrap();
    Picture { id: ID, format: PictureFormat::Webp, width: 3, height: 2, size_bytes: 5, created_at }
}

fn row_of(value: &impl Write) -> Row {
    cells(value).into_iter().map(Cell::from).collect()
}

fn facts() -> Facts {
    let mut facts = Facts::default();
    facts.load_rows(RowsNeed::one(&PICTURES, &ID), vec![row_of(&picture())]);
    facts.put_catalogue_version(VERSION);
    facts
}

#[test]
fn a_removed_picture_takes_its_bytes_along() {
    let mut facts = facts();
    let remove = RemovePicture { id: ID, version: VERSION };
    assert_eq!(remove.decide(&mut facts).unwrap(), RemovalOutcome::Removed);
    assert_eq!(remove.decide(&mut facts).unwrap(), RemovalOutcome::Unknown);
    let changes = facts.into_changes().rows;
    let tables: Vec<_> = changes.iter().map(|change| change.table().name).collect();
    assert_eq!(tables, ["picture_bytes", "pictures"]);
    assert!(changes.iter().all(|change| matches!(change, RowChange::Remove(..))));
}

#[test]
fn an_unknown_picture_is_no_error() {
    let id = PictureId([8; 32]);
    let mut facts = facts();
    facts.load_rows(RowsNeed::one(&PICTURES, &id), Vec::new());
    assert_eq!(RemovePicture { id, version: VERSION }.decide(&mut facts).unwrap(), RemovalOutcome::Unknown);
}

#[test]
fn a_picture_stays_when_a_product_has_changed_meanwhile() {
    let remove = RemovePicture { id: ID, version: CatalogueVersion(2) };
    let mut later = facts();
    assert_eq!(remove.decide(&mut later).unwrap(), RemovalOutcome::OtherCatalogue);
    assert_eq!(later.into_changes().rows, []);
}

/// Commands that share a commit see the version from before it.
#[test]
fn a_picture_stays_when_a_product_changes_in_the_same_commit() {
    let (remove, product) = (RemovePicture { id: ID, version: VERSION }, build::product("mug"));
    let mut created = facts();
    created.put_catalogue_product(product.id.clone(), None);
    let upsert = ProductUpsert { product: product.clone(), keep_published_at: false, keep_stock: false };
    UpsertProducts(vec![upsert]).decide(&mut created).unwrap();
    assert_eq!(remove.decide(&mut created).unwrap(), RemovalOutcome::OtherCatalogue);
    let mut retired = facts();
    let id = product.id.clone();
    let row = CatalogueRow { product, version: VERSION, retired_at: None, supplied: None, reserved: 0 };
    retired.put_catalogue_product(id.clone(), Some(row));
    RetireProducts { ids: vec![id], at: build::noon() }.decide(&mut retired).unwrap();
    assert_eq!(remove.decide(&mut retired).unwrap(), RemovalOutcome::OtherCatalogue);
}
