//! The point history as members see it.

use super::browser::{Browser, with_shop};
use crate::harness::Act;

/// The words and sums of a page, without its elements.
fn words(page: &str) -> String {
    let texts = page.split('>').filter_map(|part| part.split('<').next()).map(str::trim);
    texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ")
}

/// The interface has base points and bonus points apart. Members see one sum.
#[tokio::test]
async fn a_row_and_its_group_have_the_same_sum_with_the_bonus() {
    let server = with_shop().await;
    let birthday = |at| Act::new("code", 100, at).bonus("birthday", 50, "Birthday bonus");
    server.record(&[birthday("2026-02-01T10:00:00Z")]).await;
    let grouped = [birthday("2026-02-02T10:00:00Z"), Act::new("code", 7, "2026-02-02T11:00:00Z")];
    server.record(&grouped).await;
    let mut browser = Browser::of(&server, "u1").await;
    let page = words(&browser.page("/points").await);
    let row = "A code | Something | +150 | including Birthday bonus | +50";
    assert_eq!(page.matches(row).count(), 2, "alone and in its group: {page}");
    assert!(
        page.contains("QR code scan | 2 codes scanned | +157 | including bonus points | +50 | A code"),
        "{page}"
    );
    assert!(page.contains("A code | Something | +7 |"), "{page}");
    let sum: i64 = 150 + 157;
    assert!(server.balance().await == sum && page.contains("| 307 points |"), "{page}");
    for (language, group, bonus) in [
        ("de", "davon Bonuspunkte", "davon Birthday bonus"),
        ("ja", "うちボーナスポイント", "うちBirthday bonus"),
        ("tr", "Bonus puanlar dahil", "Birthday bonus dahil"),
    ] {
        browser.language = language;
        let page = browser.page("/points").await;
        assert!(page.contains(group) && page.contains(bonus), "{language}: {page}");
    }
}
