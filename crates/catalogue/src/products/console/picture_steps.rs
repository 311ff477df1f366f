//! What a button changes of the pictures of a product.
//!
//! The main picture and the gallery are one row here: the main one is at place 0, which may be empty, and the gallery follows.

use pointbook_domain::Product;
use pointbook_http::pages::PageError;
use pointbook_store::limits::MAX_GALLERY_URLS;

use super::form::{Field, Texts};

/// The URLs of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pictures {
    pub(super) main: String,
    pub(super) gallery: Vec<String>,
}

impl Pictures {
    pub(super) fn of_product(product: &Product) -> Self {
        Self { main: product.thumbnail.clone(), gallery: product.gallery.clone() }
    }

    pub(super) fn of_texts(texts: &Texts) -> Self {
        let gallery = texts.get(Field::Gallery).lines().map(str::to_owned).collect();
        Self { main: texts.get(Field::Thumbnail).to_owned(), gallery }
    }

    /// These texts with these pictures.
    pub(super) fn in_texts(&self, texts: &Texts) -> Texts {
        texts.with(Field::Thumbnail, &self.main).with(Field::Gallery, &self.gallery.join("\n"))
    }

    pub(super) fn urls(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.main).chain(&self.gallery).map(String::as_str)
    }

    /// This main picture, which leaves the gallery.
    fn with_main(self, url: &str) -> Self {
        let gallery = self.gallery.into_iter().filter(|known| known != url).collect();
        Self { main: url.to_owned(), gallery }
    }

    fn shows(&self, url: &str) -> bool {
        !url.is_empty() && self.urls().any(|known| known == url)
    }

    fn at(&self, place: usize) -> Option<&str> {
        match place {
            0 => Some(&*self.main).filter(|url| !url.is_empty()),
            place => self.gallery.get(place - 1).map(String::as_str),
        }
    }

    /// Where the picture is: at this place, or else at the only other one.
    fn find(&self, place: usize, url: &str) -> Option<usize> {
        if self.at(place) == Some(url) {
            return Some(place);
        }
        let mut places = self.urls().enumerate().filter(|(_, known)| *known == url).map(|(place, _)| place);
        places.next().filter(|_| places.next().is_none())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PictureStep {
    Main(String),
    More(String),
    /// The place is only a hint when other pictures moved meanwhile: a URL that is there once is found anywhere.
    Take {
        place: usize,
        url: String,
    },
    /// The picture goes to another place, and those in between make room.
    Move {
        from: usize,
        to: usize,
        url: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stepped {
    To(Pictures),
    /// The pictures are so already, for example because the form was sent twice.
    Same,
    /// The id of the text that says why not.
    Refused(&'static str),
}

impl PictureStep {
    /// Reads the value of a button: the place of a picture, and its URL.
    pub(super) fn read_take(value: &str) -> Result<Self, PageError> {
        let (place, url) = value.split_once(' ').ok_or(PageError::BadRequest)?;
        Ok(Self::Take { place: place_of(place)?, url: url.to_owned() })
    }

    /// Reads the value of a button: the present place, the next one, and the URL.
    pub(super) fn read_move(value: &str) -> Result<Self, PageError> {
        let mut parts = value.splitn(3, ' ');
        let mut part = || parts.next().ok_or(PageError::BadRequest);
        let (from, to, url) = (place_of(part()?)?, place_of(part()?)?, part()?.to_owned());
        if from == to { Err(PageError::BadRequest) } else { Ok(Self::Move { from, to, url }) }
    }

    /// Whether it depends on pictures that another person may have changed since the page was made.
    pub(super) fn needs(&self, field: Field) -> bool {
        match self {
            Self::Main(_) => field == Field::Thumbnail,
            Self::Move { .. } => matches!(field, Field::Thumbnail | Field::Gallery),
            Self::More(_) | Self::Take { .. } => false,
        }
    }

    /// Whether it makes another picture the main one, or the main one another.
    pub(super) fn moves_main(&self) -> bool {
        matches!(self, Self::Move { from: 0, .. } | Self::Move { to: 0, .. })
    }

    /// Whether it puts one more picture on the product.
    pub(super) fn adds(&self) -> bool {
        matches!(self, Self::Main(_) | Self::More(_))
    }

    /// The text that says that another person changed what the step needs.
    pub(super) fn late(&self) -> &'static str {
        match self {
            Self::Move { .. } => "picture-refused-moved",
            Self::Main(_) | Self::More(_) | Self::Take { .. } => "picture-refused-other-main",
        }
    }

    pub(super) fn applied_to(&self, pictures: &Pictures) -> Stepped {
        let mut after = pictures.clone();
        match self {
            Self::Main(url) => after = after.with_main(url),
            Self::More(url) if pictures.shows(url) => return Stepped::Same,
            Self::More(_) if pictures.gallery.len() >= MAX_GALLERY_URLS => {
                return Stepped::Refused("picture-refused-gallery-full");
            }
            Self::More(url) => after.gallery.push(url.clone()),
            Self::Take { place: 0, url } if pictures.main == *url => after.main.clear(),
            Self::Take { place: 0, .. } => return Stepped::Same,
            Self::Take { place, url } => {
                let is_there = pictures.at(*place) == Some(url);
                let found = if is_there {
                    Some(place - 1)
                } else {
                    pictures.gallery.iter().position(|known| known == url)
                };
                let Some(index) = found else { return Stepped::Same };
                after.gallery.remove(index);
            }
            Self::Move { from, to, url } if pictures.at(*from) == Some(url) => {
                let mut row: Vec<String> = std::iter::once(after.main).chain(after.gallery).collect();
                if *to >= row.len() {
                    return Stepped::Refused(self.late());
                }
                let moved = row.remove(*from);
                row.insert(*to, moved);
                // A product without a main picture had an empty place.
                if *to == 0 && pictures.main.is_empty() {
                    row.remove(1);
                }
                after = Pictures { main: row.remove(0), gallery: row };
            }
            Self::Move { to, url, .. } if pictures.at(*to) == Some(url) => return Stepped::Same,
            Self::Move { .. } => return Stepped::Refused(self.late()),
        }
        if after == *pictures { Stepped::Same } else { Stepped::To(after) }
    }

    /// The pictures after the step in a row that an operator typed. A picture may have another place there than in the stored row, and a
    /// move shifts it as far as it does there. `None` when the step does not fit the typed row.
    pub(super) fn applied_to_typed(&self, typed: &Pictures) -> Option<Pictures> {
        match (self, self.in_typed(typed)?.applied_to(typed)) {
            (_, Stepped::To(after)) => Some(after),
            // The stored row has moved, and the typed one has not.
            (Self::Move { .. }, Stepped::Same) | (_, Stepped::Refused(_)) => None,
            (Self::Main(_) | Self::More(_) | Self::Take { .. }, Stepped::Same) => Some(typed.clone()),
        }
    }

    /// The step with the places of the typed row.
    fn in_typed(&self, typed: &Pictures) -> Option<Self> {
        let Self::Move { from, to, url } = self else { return Some(self.clone()) };
        let from_here = typed.find(*from, url)?;
        let to_here = if *to == 0 { 0 } else { (from_here + to).checked_sub(*from)? };
        // The main picture has another field than the others, so a move changes it in both rows or in neither.
        let is_alike = (*from == 0) == (from_here == 0) && (*to == 0) == (to_here == 0);
        is_alike.then(|| Self::Move { from: from_here, to: to_here, url: url.clone() })
    }
}

fn place_of(text: &str) -> Result<usize, PageError> {
    let place = text.parse().map_err(|_| PageError::BadRequest)?;
    if place <= MAX_GALLERY_URLS { Ok(place) } else { Err(PageError::BadRequest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first word is the main picture; `-` stands for none.
    fn pictures(row: &str) -> Pictures {
        let mut urls = row.split(' ').map(|url| if url == "-" { String::new() } else { url.to_owned() });
        Pictures { main: urls.next().unwrap(), gallery: urls.collect() }
    }

    fn step(text: &str) -> PictureStep {
        let (kind, value) = text.split_once(' ').unwrap();
        match kind {
            "main" => PictureStep::Main(value.to_owned()),
            "more" => PictureStep::More(value.to_owned()),
            "take" => PictureStep::read_take(value).unwrap(),
            _ => PictureStep::read_move(value).unwrap(),
        }
    }

    fn stepped(text: &str, row: &str) -> Stepped {
        step(text).applied_to(&pictures(row))
    }

    #[test]
    fn a_step_gives_the_row() {
        for (row, step, after) in [
            ("a b c", "main x", "x b c"),
            ("- b", "more x", "- b x"),
            ("a b c", "main b", "b c"),
            ("a b c b", "take 3 b", "a b c"),
            ("a b c b", "take 1 b", "a c b"),
            ("a b c", "take 1 c", "a b"),
            ("a b", "take 0 a", "- b"),
            ("a b c d", "move 3 0 d", "d a b c"),
            ("a b c d", "move 3 2 d", "a b d c"),
            ("a b c d", "move 1 2 b", "a c b d"),
            ("a b c", "move 1 0 b", "b a c"),
            ("a b c", "move 0 1 a", "b a c"),
            ("- b c", "move 1 0 b", "b c"),
            ("- b c", "move 2 0 c", "c b"),
            ("- b c", "move 2 1 c", "- c b"),
        ] {
            assert_eq!(stepped(step, row), Stepped::To(pictures(after)), "{row}: {step}");
        }
    }

    #[test]
    fn a_step_that_was_taken_before_changes_nothing() {
        for (row, step) in [
            ("a b", "more a"),
            ("a b", "main a"),
            ("a b", "more b"),
            ("a b", "take 0 b"),
            ("a b", "take 1 c"),
            ("a c b", "move 2 1 c"),
        ] {
            assert_eq!(stepped(step, row), Stepped::Same, "{row}: {step}");
        }
    }

    #[test]
    fn a_picture_that_is_elsewhere_by_now_does_not_move() {
        for (row, step) in
            [("a b c", "move 2 1 x"), ("a b c d", "move 1 2 d"), ("a b", "move 1 2 b"), ("-", "move 0 1 a")]
        {
            assert_eq!(stepped(step, row), Stepped::Refused("picture-refused-moved"), "{row}: {step}");
        }
        for value in ["", "1", "1 2", "x 2 a", "1 1 a", "-1 0 a", "1 101 a"] {
            assert!(PictureStep::read_move(value).is_err(), "{value}");
        }
    }

    #[test]
    fn a_full_gallery_takes_no_more() {
        let gallery = (0..MAX_GALLERY_URLS).map(|number| number.to_string()).collect();
        let full = Pictures { main: String::new(), gallery };
        let more = step("more x");
        assert_eq!(more.applied_to(&full), Stepped::Refused("picture-refused-gallery-full"));
        assert_eq!(more.applied_to_typed(&full), None);
    }

    /// Each row is typed over `m a b c d`.
    #[test]
    fn a_typed_row_takes_the_step_where_its_picture_is() {
        for (row, text, after) in [
            ("m b c d", "move 2 3 b", Some("m c b d")),
            ("m x a b c d", "move 3 2 c", Some("m x a c b d")),
            ("m b c d", "move 3 0 c", Some("c m b d")),
            ("x b c d", "move 0 1 m", None),
            ("m b c d", "move 0 1 m", Some("b m c d")),
            ("m a c d", "move 2 3 b", None),
            ("m a b", "move 2 3 b", None),
            ("m b c d", "move 2 1 b", None),
            ("b a c d", "move 2 3 b", None),
            ("b a c d", "move 2 0 b", None),
            ("m a c b d b", "move 2 3 b", None),
            ("m c b", "take 2 b", Some("m c")),
            ("m c d", "take 2 b", Some("m c d")),
            ("m b a", "more a", Some("m b a")),
        ] {
            assert_eq!(step(text).applied_to_typed(&pictures(row)), after.map(pictures), "{row}: {text}");
        }
    }
}
