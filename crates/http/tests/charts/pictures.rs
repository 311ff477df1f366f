//! The bytes of one chart of each kind.

use pointbook_http::charts::{Bar, Chart as _, HeatRow};

use super::samples::{bars, days, heat_table, series, sparkline, time_series};

/// A line for each row of a table.
fn table_rows(markup: &str) -> String {
    markup.replace("<tr", "\n<tr").replace("</table", "\n</table")
}

/// A line for each element.
fn lines(markup: &str) -> String {
    markup.replace("><", ">\n<")
}

#[test]
fn one_series_with_a_gap() {
    let (days, mut issued) = (days(5), series("Issued", &[120_i64, 80, 0, 310, 250]));
    issued.values[2] = None;
    insta::assert_snapshot!(lines(&time_series(&days, &[issued]).picture()), @r##"
    <div class="chart">
    <p class="chart-readout">
    <b>2026-03-05</b>
    <span>
    <span>Issued </span>
    <b>250</b>
    </span>
    </p>
    <div class="chart-y" aria-hidden="true">
    <span>400</span>
    <span>300</span>
    <span>200</span>
    <span>100</span>
    <span>0</span>
    </div>
    <svg class="chart-plot" role="img" aria-labelledby="issued-title issued-desc">
    <title id="issued-title">Points</title>
    <desc id="issued-desc">Points per day.</desc>
    <line class="axis" x2="100%" y1="100%" y2="100%"/>
    <line class="grid" x2="100%" y1="75%" y2="75%"/>
    <line class="grid" x2="100%" y1="50%" y2="50%"/>
    <line class="grid" x2="100%" y1="25%" y2="25%"/>
    <line class="grid" x2="100%" y1="0%" y2="0%"/>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none">
    <path class="area series-1" d="M10 70L30 80V100H10ZM70 22.5L90 37.5V100H70Z"/>
    <path class="line series-1" d="M10 70L30 80M70 22.5L90 37.5"/>
    <path class="dot series-1" d="M90 37.5h0"/>
    </svg>
    <line class="cross" x1="90%" x2="90%" y2="100%"/>
    <g class="hints">
    <rect x="0%" width="20%">
    <title>2026-03-01
    Issued 120</title>
    </rect>
    <rect x="20%" width="20%">
    <title>2026-03-02
    Issued 80</title>
    </rect>
    <rect x="40%" width="20%">
    <title>2026-03-03
    Issued missing</title>
    </rect>
    <rect x="60%" width="20%">
    <title>2026-03-04
    Issued 310</title>
    </rect>
    <rect x="80%" width="20%">
    <title>2026-03-05
    Issued 250</title>
    </rect>
    </g>
    </svg>
    <svg class="chart-x" aria-hidden="true">
    <text class="middle" x="10%" y="50%">1 Mar</text>
    <text class="middle other" x="30%" y="50%">2 Mar</text>
    <text class="middle" x="50%" y="50%">3 Mar</text>
    <text class="middle other" x="70%" y="50%">4 Mar</text>
    <text class="middle" x="90%" y="50%">5 Mar</text>
    </svg>
    </div>
    "##);
}

#[test]
fn two_series() {
    let (days, issued) = (days(3), series("Issued", &[1.5, 0.5, 2.0]));
    let all = [issued, series("Spent", &[-0.5, 0.0, 1.0])];
    insta::assert_snapshot!(lines(&time_series(&days, &all).picture()), @r##"
    <div class="chart">
    <p class="chart-legend">
    <span>
    <svg aria-hidden="true">
    <svg viewBox="0 0 100 100" preserveAspectRatio="none">
    <path class="line series-1" d="M0 50L100 50"/>
    </svg>
    </svg>
    <span>Issued</span>
    </span>
    <span>
    <svg aria-hidden="true">
    <svg viewBox="0 0 100 100" preserveAspectRatio="none">
    <path class="line series-2" d="M0 50L100 50"/>
    <path class="dot spot series-2" d="M50 50h0"/>
    </svg>
    </svg>
    <span>Spent</span>
    </span>
    </p>
    <p class="chart-readout">
    <b>2026-03-03</b>
    <span>
    <span>Issued </span>
    <b>2</b>
    </span>
    <span>
    <span>Spent </span>
    <b>1</b>
    </span>
    </p>
    <div class="chart-y" aria-hidden="true">
    <span>2</span>
    <span>1</span>
    <span>0</span>
    <span>-1</span>
    </div>
    <svg class="chart-plot" role="img" aria-labelledby="issued-title issued-desc">
    <title id="issued-title">Points</title>
    <desc id="issued-desc">Points per day.</desc>
    <line class="grid" x2="100%" y1="100%" y2="100%"/>
    <line class="axis" x2="100%" y1="66.67%" y2="66.67%"/>
    <line class="grid" x2="100%" y1="33.33%" y2="33.33%"/>
    <line class="grid" x2="100%" y1="0%" y2="0%"/>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none">
    <path class="line series-2" d="M16.67 83.33L50 66.67L83.33 33.33"/>
    <path class="dot spot series-2" d="M16.67 83.33h0M50 66.67h0M83.33 33.33h0"/>
    <path class="line series-1" d="M16.67 16.67L50 50L83.33 0"/>
    </svg>
    <line class="cross" x1="83.33%" x2="83.33%" y2="100%"/>
    <g class="hints">
    <rect x="0%" width="33.33%">
    <title>2026-03-01
    Issued 1.5
    Spent -0.5</title>
    </rect>
    <rect x="33.33%" width="33.33%">
    <title>2026-03-02
    Issued 0.5
    Spent 0</title>
    </rect>
    <rect x="66.67%" width="33.33%">
    <title>2026-03-03
    Issued 2
    Spent 1</title>
    </rect>
    </g>
    </svg>
    <svg class="chart-x" aria-hidden="true">
    <text class="middle" x="16.67%" y="50%">1 Mar</text>
    <text class="middle other" x="50%" y="50%">2 Mar</text>
    <text class="middle" x="83.33%" y="50%">3 Mar</text>
    </svg>
    </div>
    "##);
}

#[test]
fn series_as_a_table() {
    let (days, issued) = (days(2), series("Issued", &[1_i64]));
    insta::assert_snapshot!(table_rows(&time_series(&days, &[issued]).table()), @r##"
    <table class="table"><caption>Points</caption><thead>
    <tr><th scope="col">Day</th><th scope="col">Issued</th></tr></thead><tbody>
    <tr><th scope="row">2026-03-01</th><td>1</td></tr>
    <tr><th scope="row">2026-03-02</th><td>missing</td></tr></tbody>
    </table>
    "##);
}

#[test]
fn products() {
    let products =
        [Bar { label: "Mug", value: 12_i64.into() }, Bar { label: "Bag & tag", value: (-4_i64).into() }];
    insta::assert_snapshot!(lines(&bars(&products).picture()), @r##"
    <ul class="chart-bars" aria-label="Points">
    <li title="Mug
    12">
    <span>Mug</span>
    <svg aria-hidden="true">
    <rect class="bar series-1" x="25%" width="75%" height="100%" rx="2"/>
    </svg>
    <b>12</b>
    </li>
    <li title="Bag &amp; tag
    -4">
    <span>Bag &amp; tag</span>
    <svg aria-hidden="true">
    <rect class="bar series-1" x="0%" width="25%" height="100%" rx="2"/>
    </svg>
    <b>-4</b>
    </li>
    </ul>
    "##);
}

#[test]
fn small_line() {
    let issued = series("Issued", &[3_i64, 5, 4, 9]);
    insta::assert_snapshot!(lines(&sparkline(&issued).svg()), @r##"
    <svg class="sparkline" role="img" aria-labelledby="issued-title issued-desc">
    <title id="issued-title">Points</title>
    <desc id="issued-desc">Points per day.</desc>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none">
    <path class="line series-1" d="M12.5 92L37.5 64L62.5 78L87.5 8"/>
    <path class="dot series-1" d="M87.5 8h0"/>
    </svg>
    </svg>
    "##);
}

#[test]
fn cohorts() {
    let rows = [
        HeatRow { name: "March", size: "120", ratios: vec![Some(0.61), Some(0.34)] },
        HeatRow { name: "April", size: "98", ratios: vec![Some(0.05)] },
    ];
    insta::assert_snapshot!(table_rows(&heat_table(&["1 month", "2 months"], &rows).html()), @r##"
    <div class="heat-scroll" role="group" aria-labelledby="issued-caption" tabindex="0"><table class="heat-table"><caption id="issued-caption"><span class="heat-title">Points</span><span class="heat-desc">Points per day.</span></caption><thead>
    <tr><th scope="col">Joined</th><th scope="col">Members</th><th scope="col">1 month</th><th scope="col">2 months</th></tr></thead><tbody>
    <tr><th scope="row">March</th><td class="heat-size">120</td><td class="heat-5">61 %</td><td class="heat-3">34 %</td></tr>
    <tr><th scope="row">April</th><td class="heat-size">98</td><td class="heat-0">5 %</td><td class="heat-none"></td></tr></tbody>
    </table></div><p class="heat-key" aria-hidden="true"><span>0 %</span><span class="heat-swatch heat-0"></span><span class="heat-swatch heat-1"></span><span class="heat-swatch heat-2"></span><span class="heat-swatch heat-3"></span><span class="heat-swatch heat-4"></span><span class="heat-swatch heat-5"></span><span>60 %</span></p>
    "##);
}
