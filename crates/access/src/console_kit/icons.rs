//! Small drawings beside words. A page says the same in words, so screen readers leave them out.

use maud::{Markup, html};

/// A drawing on a square of 16, as the path of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Icon {
    Account,
    Add,
    Audit,
    Cake,
    Campaigns,
    Categories,
    Check,
    Close,
    Code,
    Down,
    Download,
    Events,
    Health,
    Imports,
    Keys,
    Members,
    Menu,
    More,
    Operators,
    Orders,
    Overview,
    Picture,
    Products,
    Quiz,
    Repeat,
    Reports,
    Search,
    Segments,
    Sessions,
    Settings,
    Shop,
    Star,
    Switch,
    Up,
    Video,
    Warning,
    Webhooks,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Self::Account => "M5 5a3 3 0 0 1 6 0 3 3 0 0 1-6 0zM2.5 14a5.5 4.5 0 0 1 11 0",
            Self::Add => "M8 3v10M3 8h10",
            Self::Audit => "M4 2h8v12H4zM6.5 5h3M6.5 8h3M6.5 11h1.5",
            Self::Cake => "M2.5 14V9.5h11V14zM8 9.5V6M8 3.5v.5M5 9.5V7M11 9.5V7",
            Self::Campaigns => "M2 6v4h3l6 3V3L5 6zM13 6.5v3",
            Self::Categories => "M2 2h5v4H2zM9 5.5h5v3H9zM9 11h5v3H9zM4.5 6v6.5H9M4.5 7H9",
            Self::Check => "M3 8.5l3.5 3.5L13 4.5",
            Self::Close => "M4 4l8 8M12 4l-8 8",
            Self::Code => "M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h2v2M14 9v2M9 14h2M14 14v-1",
            Self::Down => "M8 3v10M4.5 9.5L8 13l3.5-3.5",
            Self::Download => "M8 2v8M5 7l3 3 3-3M3 14h10",
            Self::Events => "M2 4h12M2 8h8M2 12h10",
            Self::Health => "M1.5 8.5h3L6.5 3l3 10 2-4.5h3",
            Self::Imports => "M8 14V6M5 9l3-3 3 3M3 2h10",
            Self::Keys => "M2 11.5a2.5 2.5 0 0 1 5 0 2.5 2.5 0 0 1-5 0zM6.3 9.8L13 3M10.5 5.5l2 2",
            Self::Members => {
                "M3.5 5a2.5 2.5 0 0 1 5 0 2.5 2.5 0 0 1-5 0zM1.5 13.5a4.5 4 0 0 1 9 0M10.5 3a2.3 2.3 0 0 1 0 4.4M12 9.8a4 4 0 0 1 2.5 3.7"
            }
            Self::Menu => "M2 4h12M2 8h12M2 12h12",
            Self::More => "M3 8h.01M8 8h.01M13 8h.01",
            Self::Operators => "M8 1.8l5.5 2V8c0 3-2.3 5-5.5 6.3C4.8 13 2.5 11 2.5 8V3.8z",
            Self::Orders => "M2 5l6-3 6 3v6l-6 3-6-3zM2 5l6 3 6-3M8 8v6",
            Self::Overview => "M2 2h5v5H2zM9 2h5v3H9zM9 7h5v7H9zM2 9h5v5H2z",
            Self::Picture => "M2 3h12v10H2zM2 11l4-4 3 3 2-2 3 3",
            Self::Products => "M2 6h12v3H2zM3 9v5h10V9M8 6v8M8 6C4 6 4 2 6 2s2 2 2 4c0-2 0-4 2-4s2 4-2 4",
            Self::Quiz => {
                "M2 8a6 6 0 0 1 12 0A6 6 0 0 1 2 8zM6.3 6.5a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.9.6-.9 1.2M8 11.5h.01"
            }
            Self::Repeat => {
                "M2.5 7V5.5a2 2 0 0 1 2-2h8M10 1l2.5 2.5L10 6M13.5 9v1.5a2 2 0 0 1-2 2h-8M6 15l-2.5-2.5L6 10"
            }
            Self::Reports => "M2 14h12M4 14V9M8 14V3M12 14V6",
            Self::Search => "M2.5 7a4.5 4.5 0 0 1 9 0 4.5 4.5 0 0 1-9 0zM10.5 10.5L14 14",
            Self::Segments => "M8 2.5V8h5.5A5.5 5.5 0 1 1 8 2.5zM10.5 2.2a5 5 0 0 1 3.3 3.3h-3.3z",
            Self::Sessions => "M2 8a6 6 0 0 1 12 0A6 6 0 0 1 2 8zM8 4.5V8l2.5 2",
            Self::Settings => "M2 5h5M11 5h3M2 11h2M8 11h6M7 3.5h4v3H7zM4 9.5h4v3H4z",
            Self::Shop => "M7 3H3v10h10V9M9.5 2H14v4.5M14 2L7.5 8.5",
            Self::Star => "M8 1.5l2 4.3 4.5.5-3.3 3.1.9 4.6L8 11.7 3.9 14l.9-4.6L1.5 6.3 6 5.8z",
            Self::Switch => "M5 6l3-3 3 3M5 10l3 3 3-3",
            Self::Up => "M8 13V3M4.5 6.5L8 3l3.5 3.5",
            Self::Video => "M2 3.5h12v9H2zM6.5 6v4L10 8z",
            Self::Warning => "M8 2l6.5 11.5h-13zM8 6.5v3M8 11.5h.01",
            Self::Webhooks => {
                "M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5L7.5 13A3 3 0 0 1 3 8.5L4.5 7"
            }
        }
    }
}

/// The drawing.
pub fn icon(icon: Icon) -> Markup {
    html! { svg .icon viewBox="0 0 16 16" aria-hidden="true" { path d=(icon.path()); } }
}
