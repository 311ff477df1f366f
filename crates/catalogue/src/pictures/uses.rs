//! Which products show which pictures, and which products name a picture that is gone.
//!
//! It reads the catalogue in memory, hidden products included, in one pass on a thread of the background. The removal of a
//! picture asks the store again.

use std::collections::BTreeMap;
use std::sync::Arc;

use pointbook_domain::picture::FOLDER;
use pointbook_domain::{PictureId, Timestamp};
use pointbook_store::background::in_background;
use pointbook_store::{ServedTenant, StoreResult};

use crate::cache::snapshot;
use crate::index::Snapshot;
use crate::pictures::KnownPictures;

/// How many products a list of users of a picture names.
pub const MAX_NAMED_PRODUCTS: usize = 5;

/// The products that have something: how many, and the first ones by id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedProducts {
    pub count: u64,
    /// The id and the title of at most [`MAX_NAMED_PRODUCTS`].
    pub first: Vec<(String, String)>,
}

impl NamedProducts {
    fn add(&mut self, id: &str, title: impl FnOnce() -> String) {
        self.count += 1;
        let place = self.first.partition_point(|(known, _)| &**known < id);
        if place < MAX_NAMED_PRODUCTS {
            self.first.insert(place, (id.to_owned(), title()));
            self.first.truncate(MAX_NAMED_PRODUCTS);
        }
    }
}

/// What the catalogue says of pictures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PictureUses {
    uses: BTreeMap<PictureId, NamedProducts>,
    /// Products with a URL of a picture of this tenant that is gone.
    pub missing: NamedProducts,
}

impl PictureUses {
    /// The products that show one of the pictures that were asked for.
    pub fn of(&self, picture: &PictureId) -> Option<&NamedProducts> {
        self.uses.get(picture)
    }
}

/// Finds the products that show these pictures.
///
/// # Errors
/// When the store fails.
pub async fn find_uses(
    served: &ServedTenant,
    now: Timestamp,
    wanted: Vec<PictureId>,
) -> StoreResult<PictureUses> {
    // A picture is stored before a product shows it, so pictures that are read later than products are all there.
    let snapshot = snapshot(served, now).await?;
    let known = KnownPictures::of(served).await?;
    in_background(move || count(&snapshot, &known, wanted)).await
}

fn count(snapshot: &Arc<Snapshot>, known: &KnownPictures, wanted: Vec<PictureId>) -> PictureUses {
    let uses = wanted.into_iter().map(|id| (id, NamedProducts::default())).collect();
    let mut found = PictureUses { uses, missing: NamedProducts::default() };
    snapshot.each_pictured(FOLDER, |product| {
        let mut ids: Vec<_> = product.urls.iter().flat_map(|url| ids_in(url)).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            if let Some(products) = found.uses.get_mut(&id) {
                products.add(product.id, || product.title());
            }
        }
        if product.urls.iter().any(|url| known.lacks(url)) {
            found.missing.add(product.id, || product.title());
        }
    });
    found
}

/// The pictures that a URL contains at any host, as the removal of a picture looks for them.
fn ids_in(url: &str) -> impl Iterator<Item = PictureId> {
    let folder = FOLDER.trim_matches('/');
    let names = url.split('/').zip(url.split('/').skip(1)).filter(move |(above, _)| *above == folder);
    names.filter_map(|(_, name)| PictureId::parse(name.split_once('.')?.0).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_products_by_id_are_named_and_all_are_counted() {
        let mut products = NamedProducts::default();
        for id in ["g", "b", "e", "a", "f", "d", "c"] {
            products.add(id, || id.to_uppercase());
        }
        let named: String = products.first.iter().flat_map(|(id, title)| [&**id, title]).collect();
        assert_eq!((products.count, &*named), (7, "aAbBcCdDeE"));
    }

    #[test]
    fn a_picture_is_found_at_any_host_and_behind_any_path() {
        let id = PictureId([0xa5; 32]);
        for url in
            [format!("https://x.example/a/pictures/{id}.png?x"), format!("/pictures/pictures/{id}.jpg")]
        {
            assert_eq!(ids_in(&url).collect::<Vec<_>>(), [id], "{url}");
        }
        assert_eq!(ids_in(&format!("/pictures/{id}")).count(), 0);
        assert_eq!(ids_in("/pictures/é.png").count(), 0);
    }
}
