//! Which pictures of this server a URL may name.

use std::collections::{BTreeSet, HashMap};

use pointbook_domain::picture::FOLDER;
use pointbook_domain::{Picture, PictureFormat, PictureId};
use pointbook_store::ports::{Query, read_all};
use pointbook_store::{ServedTenant, StoreResult};

use crate::pictures::find_picture;

/// How many pictures are looked up one by one. For more, one read of the list of all pictures takes less time.
const MAX_LOOKUPS: usize = 16;

/// The pictures of a tenant at one moment, at most [`crate::pictures::MAX_PICTURES`].
#[derive(Debug)]
pub struct KnownPictures {
    /// The URL that all pictures of the tenant begin with.
    folder: String,
    formats: HashMap<PictureId, PictureFormat>,
}

impl KnownPictures {
    /// # Errors
    /// When the store fails.
    pub async fn of(served: &ServedTenant) -> StoreResult<Self> {
        let pictures: Vec<Picture> =
            read_all(&*served.data, Query::of::<Picture>("known_pictures", &["id"])).await?;
        Ok(Self::new(folder_of(served), pictures))
    }

    pub(crate) fn new(folder: String, pictures: Vec<Picture>) -> Self {
        let formats = pictures.into_iter().map(|picture| (picture.id, picture.format)).collect();
        Self { folder, formats }
    }

    /// Whether the URL is one of pictures of the tenant, and no picture is there.
    pub fn lacks(&self, url: &str) -> bool {
        let Some(rest) = url.strip_prefix(&*self.folder) else { return false };
        let found = named(rest).and_then(|(id, extension)| {
            let format = self.formats.get(&id)?;
            (format.extension() == extension).then_some(())
        });
        found.is_none()
    }
}

/// The picture and the extension that a URL names. `rest` is what follows the folder.
fn named(rest: &str) -> Option<(PictureId, &str)> {
    let (id, extension) = rest.split(['?', '#']).next()?.split_once('.')?;
    Some((PictureId::parse(id).ok()?, extension))
}

/// Those of the URLs of a product that name a picture of the tenant that is gone. It reads nothing when no URL is one of pictures of the
/// tenant, and only the named pictures when they are few.
///
/// # Errors
/// When the store fails.
pub async fn missing_pictures<'u>(
    served: &ServedTenant,
    urls: impl IntoIterator<Item = &'u str>,
) -> StoreResult<Vec<&'u str>> {
    let folder = folder_of(served);
    let mut own: Vec<&str> = urls.into_iter().filter(|url| url.starts_with(&folder)).collect();
    if own.is_empty() {
        return Ok(own);
    }
    let known = match few_named(&folder, &own) {
        Some(ids) => looked_up(served, folder, ids).await?,
        None => KnownPictures::of(served).await?,
    };
    own.retain(|url| known.lacks(url));
    Ok(own)
}

/// The different pictures that the URLs name. `None` when they are more than [`MAX_LOOKUPS`].
fn few_named(folder: &str, own: &[&str]) -> Option<BTreeSet<PictureId>> {
    let mut ids = BTreeSet::new();
    for (id, _) in own.iter().filter_map(|url| named(url.strip_prefix(folder)?)) {
        ids.insert(id);
        if ids.len() > MAX_LOOKUPS {
            return None;
        }
    }
    Some(ids)
}

async fn looked_up(
    served: &ServedTenant,
    folder: String,
    ids: BTreeSet<PictureId>,
) -> StoreResult<KnownPictures> {
    let mut pictures = Vec::new();
    for id in ids {
        pictures.extend(find_picture(&*served.data, &id).await?);
    }
    Ok(KnownPictures::new(folder, pictures))
}

fn folder_of(served: &ServedTenant) -> String {
    format!("{}{FOLDER}", served.tenant.base_url.as_str())
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Timestamp;

    use super::*;

    #[test]
    fn a_url_of_the_tenant_names_a_stored_picture_or_lacks_it() {
        let created_at = Timestamp::from_micros(0).unwrap();
        let (id, format) = (PictureId([7; 32]), PictureFormat::Png);
        let picture = Picture { id, format, width: 1, height: 1, size_bytes: 1, created_at };
        let folder = "https://a.example/api/pictures/";
        let known = KnownPictures::new(folder.to_owned(), vec![picture]);
        for name in [format!("{id}.png"), format!("{id}.png?v=1"), format!("{id}.png#x")] {
            assert!(!known.lacks(&format!("{folder}{name}")), "{name}");
        }
        let other = PictureId([8; 32]);
        for name in [
            format!("{id}.jpg"),
            format!("{id}"),
            format!("{other}.png"),
            format!("{id}.png/x"),
            String::new(),
        ] {
            assert!(known.lacks(&format!("{folder}{name}")), "{name}");
        }
        let elsewhere = format!("https://b.example/api/pictures/{other}.png");
        assert!(!known.lacks(&elsewhere) && !known.lacks(""));
    }

    #[test]
    fn few_different_pictures_are_looked_up_one_by_one() {
        let folder = "https://a.example/api/pictures/";
        let url = |number: usize| format!("{folder}{}.png", PictureId([u8::try_from(number).unwrap(); 32]));
        let few = |urls: &[String]| few_named(folder, &urls.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(few(&[format!("{folder}x.png"), folder.to_owned()]), Some(BTreeSet::new()));
        let same = vec![url(7); 2 * MAX_LOOKUPS];
        assert_eq!(few(&same), Some(BTreeSet::from([PictureId([7; 32])])));
        let different: Vec<String> = (0..=MAX_LOOKUPS).map(url).collect();
        assert_eq!(few(&different[1..]).map(|ids| ids.len()), Some(MAX_LOOKUPS));
        assert_eq!(few(&different), None);
    }
}
