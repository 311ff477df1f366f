//! The macro `words!`: enums whose variants are words of an interface.

/// Declares enums with a word for each variant: `ALL`, `as_str` and `parse`.
#[macro_export]
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
    )*};
}
