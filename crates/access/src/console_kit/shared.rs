//! What every page of the console gets: the service, sources of ids and secrets, texts, parts of slices, and the ways in.

use std::sync::Arc;

use pointbook_domain::{OperatorId, TenantId};
use pointbook_http::pages::{Languages, Source};
use pointbook_store::queue::{Bounds, Limits, Permits};
use pointbook_store::{IdSource, Parts, SecretSource, Service};

use crate::console_kit::navigation::CountOf;
use crate::console_kit::page_spec::{PageSpec, ROOT};
use crate::openid::OpenId;
use crate::sessions::ConsoleOrigin;

/// How operators come in, and where.
#[derive(Default)]
pub struct Entrance {
    /// The issuer that signs operators in. `None` when links are the only way.
    pub openid: Option<Arc<OpenId>>,
    pub origin: ConsoleOrigin,
}

/// What pages share.
pub struct Shared {
    pub service: Arc<Service>,
    pub ids: Arc<dyn IdSource>,
    pub secrets: Arc<dyn SecretSource>,
    /// What slices share with their pages.
    pub parts: Parts,
    pub entrance: Entrance,
    pub languages: Languages,
    /// The sections whose things are counted.
    pub counted: Vec<(&'static str, CountOf)>,
    /// The requests of each operator that are worked on, and those that wait.
    pub turns: Permits<TenantId, OperatorId>,
}

/// The sections whose pages have a count.
pub fn counted(pages: &[&'static PageSpec]) -> Vec<(&'static str, CountOf)> {
    let of_section = |page: &&'static PageSpec| Some((page.path.strip_prefix(ROOT)?, page.count?));
    pages.iter().filter_map(of_section).collect()
}

/// A search reads a whole table. So an operator has only a few requests at work, and others of the tenant, members too, find room.
pub fn turns() -> Permits<TenantId, OperatorId> {
    let lane = |lane| Bounds { lane, ..Bounds::default() };
    Permits::new(Limits { permits: lane(4), waiting: lane(16), ..Limits::default() })
}

/// The texts of a language: one file for the frame, and one for each section.
macro_rules! texts {
    ($tag:literal) => {
        (
            $tag,
            concat!(
                include_str!(concat!("../../locales/", $tag, "/frame.ftl")),
                include_str!(concat!("../../locales/", $tag, "/openid.ftl")),
                include_str!(concat!("../../locales/", $tag, "/overview.ftl")),
                include_str!(concat!("../../locales/", $tag, "/orders.ftl")),
                include_str!(concat!("../../locales/", $tag, "/catalogue.ftl")),
                include_str!(concat!("../../locales/", $tag, "/pictures.ftl")),
                include_str!(concat!("../../locales/", $tag, "/imports.ftl")),
                include_str!(concat!("../../locales/", $tag, "/reports.ftl")),
                include_str!(concat!("../../locales/", $tag, "/campaigns.ftl")),
                include_str!(concat!("../../locales/", $tag, "/members.ftl")),
                include_str!(concat!("../../locales/", $tag, "/comparisons.ftl")),
                include_str!(concat!("../../locales/", $tag, "/search.ftl")),
                include_str!(concat!("../../locales/", $tag, "/audit-log.ftl")),
                include_str!(concat!("../../locales/", $tag, "/keys.ftl")),
                include_str!(concat!("../../locales/", $tag, "/operators.ftl")),
                include_str!(concat!("../../locales/", $tag, "/webhooks.ftl")),
                include_str!(concat!("../../locales/", $tag, "/settings.ftl")),
                include_str!(concat!("../../locales/", $tag, "/health.ftl")),
            ),
        )
    };
}

pub const SOURCES: [Source; 4] = [texts!("en"), texts!("de"), texts!("ja"), texts!("tr")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_the_same_texts_without_a_mistake() {
        let names: Vec<&str> =
            "action activities actor actual after amount at attributes awards before bytes cell cells changed chars choices color \
             column columns count day days ends expected field first from got height hours id issuer kind known last latest levels \
             line lines max member members min month most name names number object of other others part pays percent period points \
             problem reason reference second since size starts tenth third time title titles unit until value values version what \
             when which whole width window wins year"
                .split(' ')
                .collect();
        assert_eq!(pointbook_http::pages::text_faults(SOURCES, &names), [""; 0]);
    }
}
