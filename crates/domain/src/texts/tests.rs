use http::{HeaderMap, HeaderValue, header};

use super::*;
use crate::{ActivityType, BaseUrl, ClockOffset, Environment, Locale, Slug, TenantSettings, Timestamp};

/// The texts of a tenant with this locale and nothing else.
pub(crate) fn shipped(locale: &str) -> Arc<LocaleTexts> {
    Texts::default().of(&tenant(locale, &[])).choose(&HeaderMap::new()).texts.clone()
}

fn tenant(locale: &str, settings: &[(&str, &str)]) -> Tenant {
    let mut all = TenantSettings::default();
    for (key, value) in settings {
        all.set(key, value).unwrap();
    }
    Tenant {
        id: TenantId::new("t").unwrap(),
        slug: Slug::new("acme").unwrap(),
        environment: Environment::Production,
        base_url: BaseUrl::parse("https://acme.example/api").unwrap(),
        name: "Acme".to_owned(),
        locale: Locale::new(locale).unwrap(),
        settings: all,
        created_at: Timestamp::from_micros(0).unwrap(),
        clock: ClockOffset::NONE,
    }
}

fn kind(name: &str) -> ActivityType {
    ActivityType::new(name).unwrap()
}

fn accept(ranges: &str) -> HeaderMap {
    HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_str(ranges).unwrap())])
}

/// Language, title and summary of two check-ins and of two scans.
fn shown(tenant: &Tenant, ranges: &str) -> [String; 5] {
    let texts = Texts::default().of(tenant);
    let offered = texts.choose(&accept(ranges));
    let text = |name| {
        let kind = kind(name);
        (offered.texts.of(&kind).title().to_owned(), offered.texts.of(&kind).count(2).into_owned())
    };
    let ((checkin, checkins), (code, codes)) = (text("checkin"), text("code"));
    [offered.content_language.to_str().unwrap().to_owned(), checkin, checkins, code, codes]
}

#[test]
fn every_shipped_language_has_every_text() {
    let mut lines = Vec::new();
    for locale in ["en", "de", "ja", "tr"] {
        let texts = shipped(locale);
        for name in ["code", "video", "quiz", "order", "checkin"] {
            let count = |count| texts.of(&kind(name)).count(count).into_owned();
            let (none, one, many) = (count(0), count(1), count(1_234));
            lines.push(format!("{locale} | {} | {none} | {one} | {many}", texts.of(&kind(name)).title()));
        }
    }
    insta::assert_snapshot!(lines.join("\n"), @r#"
    en | QR code scan | 0 codes scanned | 1 code scanned | 1234 codes scanned
    en | Video watched | 0 videos watched | 1 video watched | 1234 videos watched
    en | Quiz answered | 0 quizzes answered | 1 quiz answered | 1234 quizzes answered
    en | Gift store order | 0 orders | 1 order | 1234 orders
    en | Activity | 0 activities | 1 activity | 1234 activities
    de | QR-Code gescannt | 0 Codes gescannt | 1 Code gescannt | 1234 Codes gescannt
    de | Video angesehen | 0 Videos angesehen | 1 Video angesehen | 1234 Videos angesehen
    de | Quiz beantwortet | 0 Quiz beantwortet | 1 Quiz beantwortet | 1234 Quiz beantwortet
    de | Bestellung im Prämienshop | 0 Bestellungen | 1 Bestellung | 1234 Bestellungen
    de | Aktivität | 0 Aktivitäten | 1 Aktivität | 1234 Aktivitäten
    ja | QRコードのスキャン | QRコードを0件スキャン | QRコードを1件スキャン | QRコードを1234件スキャン
    ja | 動画の視聴 | 動画を0本視聴 | 動画を1本視聴 | 動画を1234本視聴
    ja | クイズへの回答 | クイズに0件回答 | クイズに1件回答 | クイズに1234件回答
    ja | ギフトストアの注文 | 注文0件 | 注文1件 | 注文1234件
    ja | アクティビティ | アクティビティ0件 | アクティビティ1件 | アクティビティ1234件
    tr | QR kod okutma | 0 kod okutuldu | 1 kod okutuldu | 1234 kod okutuldu
    tr | Video izleme | 0 video izlendi | 1 video izlendi | 1234 video izlendi
    tr | Bilgi testi | 0 bilgi testi yanıtlandı | 1 bilgi testi yanıtlandı | 1234 bilgi testi yanıtlandı
    tr | Hediye mağazası siparişi | 0 sipariş | 1 sipariş | 1234 sipariş
    tr | Etkinlik | 0 etkinlik | 1 etkinlik | 1234 etkinlik
    "#);
}

#[test]
fn every_shipped_language_counts_orders_and_refunds_apart() {
    let mut lines = Vec::new();
    for locale in ["en", "de", "ja", "tr"] {
        let texts = shipped(locale);
        for refunds in [1, 2] {
            let text = |count| texts.of(&kind("order")).count(Tally { count, refunds }).into_owned();
            lines.push(format!("{locale} | {} | {} | {}", text(0), text(1), text(1_234)));
        }
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    en | 1 refund | 1 order, 1 refund | 1234 orders, 1 refund
    en | 2 refunds | 1 order, 2 refunds | 1234 orders, 2 refunds
    de | 1 Erstattung | 1 Bestellung, 1 Erstattung | 1234 Bestellungen, 1 Erstattung
    de | 2 Erstattungen | 1 Bestellung, 2 Erstattungen | 1234 Bestellungen, 2 Erstattungen
    ja | 返還1件 | 注文1件、返還1件 | 注文1234件、返還1件
    ja | 返還2件 | 注文1件、返還2件 | 注文1234件、返還2件
    tr | 1 iade | 1 sipariş, 1 iade | 1234 sipariş, 1 iade
    tr | 2 iade | 1 sipariş, 2 iade | 1234 sipariş, 2 iade
    ");
}

#[test]
fn an_own_text_counts_orders_and_may_leave_refunds_out() {
    let own = "order-count = { $count ->\n    [one] one\n   *[other] { $count } of them\n }";
    let count = |source, tally| {
        let texts = Texts::default().of(&tenant("en", &[("texts.en", source)]));
        texts.choose(&HeaderMap::new()).texts.of(&kind("order")).count(tally).into_owned()
    };
    assert_eq!(count(own, Tally { count: 1, refunds: 2 }), "one");
    assert_eq!(count(own, Tally { count: 30, refunds: 2 }), "30 of them");
    assert_eq!(count("order-count = { $count }-{ $refunds }", Tally { count: 3, refunds: 1 }), "3-1");
    assert_eq!(count("order-count = { $count }-{ $refunds }", Tally::from(3)), "3-0");
}

#[test]
fn the_shipped_sources_pass_their_own_check() {
    // A tenant declares it when points end as rows of their own type.
    let expiry = [ActivityType::new("expiry").unwrap()];
    for (tag, source) in SOURCES {
        assert_eq!(check_source(source, &expiry), Ok(()), "{tag}");
    }
}

#[test]
fn a_summary_beyond_the_ready_ones_has_the_same_form() {
    let texts = shipped("en");
    for count in 2..60 {
        assert_eq!(texts.of(&kind("quiz")).count(count), format!("{count} quizzes answered"));
    }
}

#[test]
fn own_texts_lie_over_the_shipped_ones() {
    let tenant = tenant("en", &[("texts.de", "code-title = Scan\ncheckin-title = Anmeldung")]);
    assert_eq!(shown(&tenant, "de"), ["de", "Anmeldung", "2 Aktivitäten", "Scan", "2 Codes gescannt"]);
    assert_eq!(shown(&tenant, "de-AT")[0], "de");
    assert_eq!(shown(&tenant, "en")[1..4], ["Activity", "2 activities", "QR code scan"]);
}

#[test]
fn a_language_that_is_not_shipped_falls_back_to_the_tenants_and_then_to_english() {
    let french = "code-count = { $count ->\n    [one] { $count } code\n   *[other] { $count } codes\n }";
    let one = tenant("de", &[("texts.fr", french), ("texts.de", "checkin-title = Anmeldung")]);
    assert_eq!(shown(&one, "fr-CA"), ["fr", "Anmeldung", "2 Aktivitäten", "QR-Code gescannt", "2 codes"]);
    let other = tenant("fr", &[("texts.fr", french)]);
    assert_eq!(shown(&other, ""), ["fr", "Activity", "2 activities", "QR code scan", "2 codes"]);
}

#[test]
fn a_tenant_without_texts_in_its_language_speaks_english() {
    assert_eq!(shown(&tenant("fr", &[]), "")[0], "en");
    assert_eq!(shown(&tenant("fr", &[]), "ja")[0], "ja");
    assert_eq!(shown(&tenant("de-AT", &[]), "")[..2], ["de-AT", "Aktivität"]);
}

#[test]
fn only_listed_locales_are_offered() {
    let tenant = tenant("ja", &[("locales", "en,tr,fr")]);
    assert_eq!(shown(&tenant, "de, tr;q=0.5")[0], "tr");
    assert_eq!(shown(&tenant, "de, fr")[0], "ja");
}

#[test]
fn texts_follow_the_settings() {
    let texts = Texts::default();
    let before = texts.of(&tenant("en", &[]));
    assert!(Arc::ptr_eq(&before, &texts.of(&tenant("en", &[]))));
    let after = texts.of(&tenant("en", &[("texts.en", "code-title = Scan")]));
    assert_eq!(after.choose(&HeaderMap::new()).texts.of(&kind("code")).title(), "Scan");
}

#[test]
fn a_shipped_title_is_in_the_language_of_the_locale_or_english() {
    let title = |locale: Option<&str>| {
        let locale = locale.map(|tag| Locale::new(tag).unwrap());
        shipped_title(locale.as_ref(), "expiry")
    };
    for (locale, expected) in [
        (None, "Points expired"),
        (Some("en-GB"), "Points expired"),
        (Some("de"), "Punkte verfallen"),
        (Some("de-AT"), "Punkte verfallen"),
        (Some("ja"), "ポイントの失効"),
        (Some("fr"), "Points expired"),
    ] {
        assert_eq!(title(locale), expected, "{locale:?}");
    }
}
