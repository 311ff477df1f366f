//! Enums whose variants are words of a definition.

/// A closed set of words.
pub(crate) trait Word: Copy + 'static {
    const WORDS: &'static [Self];

    fn word(self) -> &'static str;

    fn find(text: &str) -> Option<Self>;
}

macro_rules! words {
    ($($(#[$doc:meta])* $vis:vis $name:ident { $($(#[$of:meta])* $word:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis enum $name {
            $($(#[$of])* $word,)*
        }

        impl $name {
            $vis const ALL: &'static [Self] = &[$(Self::$word),*];

            $vis const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$word => $text,)*
                }
            }

            $vis fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|word| word.as_str() == text)
            }
        }

        impl $crate::words::Word for $name {
            const WORDS: &'static [Self] = Self::ALL;

            fn word(self) -> &'static str {
                self.as_str()
            }

            fn find(text: &str) -> Option<Self> {
                Self::parse(text)
            }
        }
    )*};
}

pub(crate) use words;
