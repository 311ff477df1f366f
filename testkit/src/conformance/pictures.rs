//! Facts of the pictures of products.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_access::audit_log::{AuditLogFilter, audit_entries};
use pointbook_catalogue::commands::{RetireProducts, UpsertProducts};
use pointbook_catalogue::pictures::{
    AddPicture, AddedPicture, PictureRemoval, PictureReport, RemovalOutcome, RemovePicture, audit_pictures,
    find_bytes, find_picture, list_pictures, remove_picture, url_of,
};
use pointbook_domain::{Picture, PictureId, Product};
use pointbook_store::ports::{CatalogueVersion, Database, PageOf, TenantData};
use pointbook_store::schema::rows::PictureBytes;
use pointbook_store::schema::{PICTURE_BYTES, PICTURES};
use pointbook_store::{Actor, Context, ServedTenant};

use super::add_tenant;
use super::campaign_helpers::service;
use crate::build;
use crate::build::{at, noon, product_id, upsert};
use crate::filled::rows;
use crate::pictures::{avif, jpeg, picture_of, png, png_of_bytes};

async fn tenant(database: &Arc<dyn Database>, slug: &str) -> Arc<ServedTenant> {
    add_tenant(database, slug).await;
    served(database, slug).await
}

/// As another instance has it.
async fn served(database: &Arc<dyn Database>, slug: &str) -> Arc<ServedTenant> {
    let (directory, id) = (service(database).await.directory(), build::tenant(slug).id);
    directory.tenants().iter().find(|served| served.tenant.id == id).unwrap().clone()
}

fn context(served: &Arc<ServedTenant>, micros_after_noon: i64) -> Context {
    build::context(served, Actor::Key { id: "k1".into(), label: None }, at(micros_after_noon))
}

async fn add(served: &Arc<ServedTenant>, bytes: Vec<u8>, micros: i64) -> AddedPicture {
    let picture = AddPicture::of(&bytes, at(micros)).unwrap();
    context(served, micros).write(picture).await.unwrap().unwrap()
}

async fn remove(served: &Arc<ServedTenant>, id: PictureId) -> PictureRemoval {
    remove_picture(&context(served, 0), id).await.unwrap()
}

async fn stored(data: &dyn TenantData) -> (usize, usize) {
    let count = async |table| data.rows_after(table, None, 1_000).await.unwrap().len();
    (count(&PICTURES).await, count(&PICTURE_BYTES).await)
}

/// Also the largest one.
pub async fn a_picture_is_stored_once_and_found_again(database: Arc<dyn Database>) {
    let acme = tenant(&database, "acme").await;
    let data = &*acme.data;
    for bytes in [png(3, 2, 1), jpeg(3, 2), avif(3, 2), png_of_bytes(2 * 1024 * 1024)] {
        let picture = picture_of(&bytes, at(1));
        let id = picture.id;
        assert_eq!(
            (find_picture(data, &id).await.unwrap(), find_bytes(data, &id).await.unwrap()),
            (None, None)
        );
        let added = AddedPicture { picture: picture.clone(), is_new: true };
        assert_eq!(add(&acme, bytes.clone(), 1).await, added);
        let again = AddedPicture { picture: picture.clone(), is_new: false };
        assert_eq!(add(&acme, bytes.clone(), 2).await, again);
        assert_eq!(find_picture(data, &id).await.unwrap(), Some(picture));
        assert!(find_bytes(data, &id).await.unwrap() == Some(bytes));
    }
    assert_eq!(stored(data).await, (4, 4));
}

pub async fn pictures_are_listed_the_newest_first(database: Arc<dyn Database>) {
    let acme = tenant(&database, "acme").await;
    let mut expected = Vec::new();
    for (micros, pixels) in [(1, 1), (2, 2), (3, 3)] {
        expected.insert(0, add(&acme, png(3, 2, pixels), micros).await.picture);
    }
    let list = async |number| list_pictures(&*acme.data, build::page(number, 2)).await.unwrap();
    assert_eq!(list(1).await, PageOf { items: expected[..2].to_vec(), total: 3 });
    assert_eq!(list(2).await, PageOf { items: expected[2..].to_vec(), total: 3 });
}

pub async fn one_of_many_equal_uploads_is_new(database: Arc<dyn Database>) {
    let acme = tenant(&database, "acme").await;
    let callers = (0..8).map(|_| {
        let acme = acme.clone();
        tokio::spawn(async move { add(&acme, png(3, 2, 1), 0).await })
    });
    let ended: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(ended.iter().filter(|added| added.is_new).count(), 1, "{ended:?}");
    assert_eq!(stored(&*acme.data).await, (1, 1));
}

/// Whether it is the thumbnail or in the gallery. A retired product shows nothing.
pub async fn a_picture_of_a_product_stays(database: Arc<dyn Database>) {
    let acme = tenant(&database, "acme").await;
    let [one, other, free] =
        join_all([1, 2, 3].map(|pixels| add(&acme, png(3, 2, pixels), 0))).await.try_into().unwrap();
    let [one, other, free]: [Picture; 3] = [one, other, free].map(|added| added.picture);
    let cup = Product { thumbnail: url_of(&acme.tenant, &one), ..build::product("cup") };
    let gallery = vec!["https://example.com/x.png".to_owned(), url_of(&acme.tenant, &other)];
    let mug = Product { gallery, ..build::product("mug") };
    acme.data.write(UpsertProducts(vec![upsert(cup), upsert(mug)])).await.unwrap();
    assert_eq!(remove(&acme, one.id).await, PictureRemoval::Used(product_id("cup")));
    assert_eq!(remove(&acme, other.id).await, PictureRemoval::Used(product_id("mug")));
    assert_eq!(remove(&acme, free.id).await, PictureRemoval::Removed);
    assert_eq!(remove(&acme, free.id).await, PictureRemoval::Unknown);
    assert_eq!(stored(&*acme.data).await, (2, 2));
    acme.data.write(RetireProducts { ids: vec![product_id("cup")], at: noon() }).await.unwrap();
    assert_eq!(remove(&acme, one.id).await, PictureRemoval::Removed);
    let again = add(&acme, png(3, 2, 1), 0).await;
    assert!(again.is_new);
}

/// The write compares the version of the catalogue in which no product had the picture.
pub async fn a_picture_is_not_removed_under_a_product_that_takes_it(database: Arc<dyn Database>) {
    let acme = tenant(&database, "acme").await;
    let picture = add(&acme, png(3, 2, 1), 0).await.picture;
    let version = acme.data.catalogue_version().await.unwrap();
    let mug = Product { thumbnail: url_of(&acme.tenant, &picture), ..build::product("mug") };
    acme.data.write(UpsertProducts(vec![upsert(mug)])).await.unwrap();
    let outcome = acme.data.write(RemovePicture { id: picture.id, version }).await.unwrap();
    assert_eq!(outcome, RemovalOutcome::OtherCatalogue);
    let future = CatalogueVersion(u64::from(u32::MAX));
    let outcome = acme.data.write(RemovePicture { id: picture.id, version: future }).await.unwrap();
    assert_eq!(outcome, RemovalOutcome::OtherCatalogue);
    assert_eq!(stored(&*acme.data).await, (1, 1));
}

pub async fn tenants_share_no_pictures(database: Arc<dyn Database>) {
    let (acme, other) = (tenant(&database, "acme").await, tenant(&database, "other").await);
    let picture = add(&acme, png(3, 2, 1), 0).await.picture;
    assert_eq!(find_picture(&*other.data, &picture.id).await.unwrap(), None);
    assert_eq!(find_bytes(&*other.data, &picture.id).await.unwrap(), None);
    assert_eq!(list_pictures(&*other.data, build::page(1, 10)).await.unwrap().total, 0);
    assert_eq!(remove(&other, picture.id).await, PictureRemoval::Unknown);
    assert!(add(&other, png(3, 2, 1), 0).await.is_new);
    assert_eq!(remove(&other, picture.id).await, PictureRemoval::Removed);
    assert_eq!(find_picture(&*acme.data, &picture.id).await.unwrap(), Some(picture));
}

/// A repeated upload changes nothing and has no entry.
pub async fn pictures_are_in_the_audit_log(database: Arc<dyn Database>) {
    let acme = tenant(&database, "acme").await;
    let bytes = png(3, 2, 1);
    let picture = add(&acme, bytes.clone(), 0).await.picture;
    add(&acme, bytes.clone(), 0).await;
    remove(&acme, picture.id).await;
    remove(&acme, picture.id).await;
    let entries = audit_entries(&*acme.data, &AuditLogFilter::default(), 0, 10).await.unwrap();
    let facts = format!(r#"{{"bytes":{},"content_type":"image/png","height":2,"width":3}}"#, bytes.len());
    let object = format!("picture:{}", picture.id);
    let shown: Vec<_> = entries
        .iter()
        .map(|entry| {
            let new = &entry.new;
            (&*new.operation, &*new.object, new.before.as_deref(), new.after.as_deref())
        })
        .collect();
    let (object, facts) = (&*object, Some(&*facts));
    assert_eq!(shown, [("picture.add", object, None, facts), ("picture.remove", object, facts, None)]);
}

pub async fn the_audit_finds_other_bytes(database: Arc<dyn Database>) {
    let acme = tenant(&database, "acme").await;
    let mut ids = Vec::new();
    for pixels in 0..12 {
        ids.push(add(&acme, png(3, 2, pixels), 0).await.picture.id);
    }
    let audit = async || audit_pictures(&*acme.data).await.unwrap();
    assert_eq!(audit().await, PictureReport { pictures: 12, differences: Vec::new() });
    let changed = PictureBytes { id: ids[0], bytes: png(3, 2, 99) };
    acme.data.write_rows(&PICTURE_BYTES, &rows(&[changed])).await.unwrap();
    let stray = PictureBytes { id: PictureId([1; 32]), bytes: vec![1] };
    acme.data.write_rows(&PICTURE_BYTES, &rows(&[stray])).await.unwrap();
    let lost = PictureBytes { id: ids[1], bytes: Vec::new() };
    acme.data.remove_rows(&PICTURE_BYTES, &rows(&[lost])).await.unwrap();
    let wrong = Picture { width: 4, ..find_picture(&*acme.data, &ids[2]).await.unwrap().unwrap() };
    acme.data.write_rows(&PICTURES, &rows(&[wrong])).await.unwrap();
    let mut expected = vec![
        format!("picture {}: its bytes have another hash", ids[0]),
        format!("picture {}: its bytes have no picture", PictureId([1; 32])),
        format!("picture {}: it has no bytes", ids[1]),
        format!("picture {}: its bytes are another picture than the row says", ids[2]),
    ];
    let mut found = audit().await.differences;
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
}
