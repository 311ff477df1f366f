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

#[tokio::test]
async fn a_long_group_of_a_day_has_its_newest_rows_and_a_page_with_all() {
    let server = with_shop().await;
    let act = |number: u32| {
        let at = format!("2026-02-01T{:02}:{:02}:00Z", 8 + number / 60, number % 60);
        Act::new("code", 1, &at).titles(&format!("Scan {number}."), "Something")
    };
    let acts: Vec<_> = (0..250).map(act).collect();
    server.record(&acts).await;
    server.record(&[Act::new("quiz", 5, "2026-02-01T07:00:00Z")]).await;
    let browser = Browser::of(&server, "u1").await;
    let page = browser.page("/points").await;
    let rows = |page: &str| page.matches("<span class=\"title\">Scan ").count();
    assert_eq!(rows(&page), 10, "{page}");
    assert!(page.contains(">Scan 249.<") && page.contains(">Scan 240.<") && page.contains("+250"), "{page}");
    assert!(page.contains("/points/2026-02-01/code\">All 250 of this day</a>"), "{page}");
    assert!(!page.contains("/points/2026-02-01/quiz"), "{page}");
    let all = browser.page("/points/2026-02-01/code").await;
    assert!(rows(&all) == 100 && all.contains("Page 1 of 3") && all.contains(">Scan 150.<"), "{all}");
    let last = browser.page("/points/2026-02-01/code?page%5Bnumber%5D=3").await;
    assert!(rows(&last) == 50 && last.contains(">Scan 0.<"), "{last}");
    for path in [
        "/points/2026-02-02/code",
        "/points/2026-02-01/video",
        "/points/today/code",
        "/points/2026-02-01/%00",
    ] {
        assert_eq!(browser.get(path).await.status, 404, "{path}");
    }
    let other = Browser::of(&server, "u2").await;
    assert_eq!(other.get("/points/2026-02-01/code").await.status, 404, "members see their own rows only");
}

/// Orders without what came back are spent, and everything else is earned, so both together are what the balance did.
#[tokio::test]
async fn my_points_has_the_sums_of_six_months() {
    let server = with_shop().await;
    server
        .record(&[
            Act::new("quiz", 70, "2025-09-30T23:59:59Z"),
            Act::new("quiz", 1_000, "2025-10-01T00:00:00Z"),
            Act::new("code", 200, "2026-01-31T10:00:00Z").bonus("birthday", 50, "Birthday bonus"),
        ])
        .await;
    server.award(5_000).await;
    server.ordered("mug", 2).await;
    let browser = Browser::of(&server, "u1").await;
    let page = words(&browser.page("/points").await);
    assert!(page.contains("Last 6 months |"), "{page}");
    assert!(page.contains("| earned 6,250 | spent 1,000 |"), "{page}");
    assert!(page.contains("| October | 1,000 | 0 | November | 0 | 0 |"), "{page}");
    assert!(page.contains("| January | 250 | 0 | February | 5,000 | 0 | March | 0 | 1,000 |"), "{page}");
    let newcomer = Browser::of(&server, "u2").await;
    assert!(!newcomer.page("/points").await.contains("Last 6 months"), "there is nothing to show");
}

#[tokio::test]
async fn a_member_with_very_many_transactions_waits_for_no_sums_of_months() {
    let server = with_shop().await;
    let act = |number: u32| {
        let at = format!("2026-02-01T{:02}:{:02}:{:02}Z", 8 + number / 3_600, number / 60 % 60, number % 60);
        Act::new("code", 1, &at)
    };
    server.record(&(0..2_000).map(act).collect::<Vec<_>>()).await;
    let browser = Browser::of(&server, "u1").await;
    assert!(words(&browser.page("/points").await).contains("| earned 2,000 |"));
    server.record(&[act(2_000)]).await;
    assert!(!browser.page("/points").await.contains("Last 6 months"));
    // What is older than the months does not count.
    server.advance_seconds(200 * 24 * 3_600);
    let browser = Browser::of(&server, "u1").await;
    server.record(&[Act::new("quiz", 7, "2026-09-01T10:00:00Z")]).await;
    assert!(words(&browser.page("/points").await).contains("| earned 7 |"));
}

/// The title of an order is that of its gift, so the row says what it is.
#[tokio::test]
async fn an_order_and_its_refund_have_a_word() {
    let server = with_shop().await;
    server.award(10_000).await;
    let order = server.ordered("mug", 1).await;
    let browser = Browser::of(&server, "u1").await;
    let page = words(&browser.page("/points").await);
    assert!(page.contains("Blue mug | Gift store order · "), "{page}");
    assert!(page.contains("| 10,000 | 5,000 | 0 |"), "the axis has round numbers: {page}");
    server.advance_seconds(24 * 3_600);
    let path = format!("/v1/store/orders/{order}/cancel");
    assert_eq!(server.post(&path, server.token()).send().await.status, 200);
    let browser = Browser::of(&server, "u1").await;
    let page = words(&browser.page("/points").await);
    assert!(page.contains("Blue mug | Refund · "), "{page}");
}
