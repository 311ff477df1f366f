//! The macro `rules!`: enums of the rules that an input can break.

/// Declares an enum of broken rules. Each line has a rule with its values, its kind, by which a page finds its own text, and its
/// English text. The rule displays the English text.
#[macro_export]
macro_rules! rules {
    (
        $(#[$of:meta])* $vis:vis enum $name:ident;
        $($(#[$doc:meta])* $rule:ident $({ $($part:ident: $type:ty),* })? $kind:literal $text:literal;)*
    ) => {
        $(#[$of])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$doc])* $rule $({ $($part: $type),* })?,)*
        }

        impl $name {
            /// The kind of each rule, and the names of its values.
            $vis const KINDS: &[(&str, &[&str])] = &[$(($kind, &[$($(stringify!($part)),*)?])),*];

            /// A name for the texts of other languages.
            $vis fn kind(&self) -> &'static str {
                match self {
                    $(Self::$rule { .. } => $kind,)*
                }
            }

            /// The names and values of what differs in the text.
            $vis fn parts(&self) -> Vec<(&'static str, String)> {
                match self {
                    $(Self::$rule $({ $($part),* })? => vec![$($((stringify!($part), $part.to_string())),*)?],)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$rule $({ $($part),* })? => write!(f, $text),)*
                }
            }
        }

        impl std::error::Error for $name {}
    };
}
