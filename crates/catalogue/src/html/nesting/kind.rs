//! What elements have in common for the count of levels.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// It has no content.
    Void,
    /// Parsers open it again after something else closed it.
    Formatting,
    Paragraph,
    /// A block that closes an open paragraph.
    Block,
    /// The same, with items.
    List,
    ListItem,
    /// `dd` or `dt`.
    Definition,
    Cell,
    Row,
    /// Parsers ignore its end tag in some places.
    Form,
    /// Its start tag closes elements with any content.
    Unruly,
    /// Other rules hold inside, by which tags may be read otherwise.
    Uncertain,
    Other,
}

/// The longest name that is known.
const LONGEST: usize = 10;

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        let mut lower = [0; LONGEST];
        let Some(lower) = lower.get_mut(..name.len()) else { return Self::Other };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        match &*lower {
            b"area" | b"base" | b"basefont" | b"bgsound" | b"br" | b"col" | b"embed" | b"hr" | b"img"
            | b"input" | b"keygen" | b"link" | b"meta" | b"param" | b"source" | b"track" | b"wbr" => {
                Self::Void
            }
            b"a" | b"b" | b"big" | b"code" | b"em" | b"font" | b"i" | b"nobr" | b"s" | b"small"
            | b"strike" | b"strong" | b"tt" | b"u" => Self::Formatting,
            b"p" => Self::Paragraph,
            b"address" | b"article" | b"aside" | b"blockquote" | b"center" | b"details" | b"dialog"
            | b"div" | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"header" | b"hgroup"
            | b"main" | b"nav" | b"pre" | b"search" | b"section" | b"summary" => Self::Block,
            b"dir" | b"dl" | b"menu" | b"ol" | b"ul" => Self::List,
            b"li" => Self::ListItem,
            b"dd" | b"dt" => Self::Definition,
            b"td" | b"th" => Self::Cell,
            b"tr" => Self::Row,
            b"form" => Self::Form,
            b"button" | b"caption" | b"colgroup" | b"table" | b"tbody" | b"tfoot" | b"thead" => Self::Unruly,
            b"frameset" | b"math" | b"noscript" | b"plaintext" | b"select" | b"svg" | b"template" => {
                Self::Uncertain
            }
            _ => Self::Other,
        }
    }

    /// Whether its start tag closes such an element where that is the innermost one.
    pub(super) fn closes(self, innermost: Self) -> bool {
        match self {
            Self::Paragraph | Self::Block | Self::List => innermost == Self::Paragraph,
            Self::ListItem | Self::Definition => innermost == Self::Paragraph || innermost == self,
            Self::Cell => innermost == Self::Cell,
            Self::Row => matches!(innermost, Self::Cell | Self::Row),
            _ => false,
        }
    }

    pub(super) fn is_item(self) -> bool {
        matches!(self, Self::ListItem | Self::Definition)
    }

    /// Whether its start tag may close more than the innermost elements, or is ignored outside of a table.
    pub(super) fn is_unruly(self) -> bool {
        matches!(self, Self::Cell | Self::Row | Self::Form | Self::Unruly)
    }

    /// Whether it needs no end tag before the end of the block around it.
    pub(super) fn may_lack_end(self) -> bool {
        self == Self::Paragraph || self.is_item()
    }

    /// Whether its end tag closes what needs no end tag with it.
    pub(super) fn closes_implied(self) -> bool {
        self.is_item() || matches!(self, Self::Block | Self::List)
    }
}
