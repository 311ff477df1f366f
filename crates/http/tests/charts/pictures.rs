//! The bytes of one chart of each kind.

use pointbook_http::charts::{Bar, Chart as _, Direction, HeatRow, Size};

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
fn one_series_with_a_gap_on_a_phone() {
    let (days, mut issued) = (days(5), series("Issued", &[120_i64, 80, 0, 310, 250]));
    issued.values[2] = None;
    insta::assert_snapshot!(lines(&time_series(&days, &[issued]).svg(Size::Narrow)), @r##"
    <svg class="chart chart-series chart-narrow" role="img" aria-labelledby="issued-chart-narrow-title issued-chart-narrow-desc" viewBox="0 0 360 242" width="100%">
    <title id="issued-chart-narrow-title">Points</title>
    <desc id="issued-chart-narrow-desc">Points per day.</desc>
    <line class="axis" x1="31.4" y1="212" x2="340.5" y2="212"/>
    <text class="label label-end" x="23.4" y="212" dy="0.35em">0</text>
    <line class="grid" x1="31.4" y1="162" x2="340.5" y2="162"/>
    <text class="label label-end" x="23.4" y="162" dy="0.35em">100</text>
    <line class="grid" x1="31.4" y1="112" x2="340.5" y2="112"/>
    <text class="label label-end" x="23.4" y="112" dy="0.35em">200</text>
    <line class="grid" x1="31.4" y1="62" x2="340.5" y2="62"/>
    <text class="label label-end" x="23.4" y="62" dy="0.35em">300</text>
    <line class="grid" x1="31.4" y1="12" x2="340.5" y2="12"/>
    <text class="label label-end" x="23.4" y="12" dy="0.35em">400</text>
    <line class="tick" x1="31.4" y1="212" x2="31.4" y2="217"/>
    <text class="label label-middle" x="31.4" y="229" dy="0.35em">1 Mar</text>
    <line class="tick" x1="108.7" y1="212" x2="108.7" y2="217"/>
    <text class="label label-middle" x="108.7" y="229" dy="0.35em">2 Mar</text>
    <line class="tick" x1="186" y1="212" x2="186" y2="217"/>
    <text class="label label-middle" x="186" y="229" dy="0.35em">3 Mar</text>
    <line class="tick" x1="263.2" y1="212" x2="263.2" y2="217"/>
    <text class="label label-middle" x="263.2" y="229" dy="0.35em">4 Mar</text>
    <line class="tick" x1="340.5" y1="212" x2="340.5" y2="217"/>
    <text class="label label-middle" x="340.5" y="229" dy="0.35em">5 Mar</text>
    <path class="area series-1" d="M31.4 152L108.7 172V212H31.4ZM263.2 57L340.5 87V212H263.2Z"/>
    <path class="line series-1" d="M31.4 152L108.7 172M263.2 57L340.5 87"/>
    <circle class="dot series-1" cx="340.5" cy="87" r="3.5"/>
    </svg>
    "##);
}

#[test]
fn two_series_on_a_phone() {
    let (days, issued) = (days(3), series("Issued", &[1.5, 0.5, 2.0]));
    let all = [issued, series("Spent", &[-0.5, 0.0, 1.0])];
    insta::assert_snapshot!(lines(&time_series(&days, &all).svg(Size::Narrow)), @r##"
    <svg class="chart chart-series chart-narrow" role="img" aria-labelledby="issued-chart-narrow-title issued-chart-narrow-desc" viewBox="0 0 360 264" width="100%">
    <title id="issued-chart-narrow-title">Points</title>
    <desc id="issued-chart-narrow-desc">Points per day.</desc>
    <line class="line series-1" x1="0" y1="10" x2="24" y2="10"/>
    <text class="legend" x="30" y="10" dy="0.35em">Issued</text>
    <line class="line series-2" x1="94.8" y1="10" x2="118.8" y2="10"/>
    <text class="legend" x="124.8" y="10" dy="0.35em">Spent</text>
    <line class="grid" x1="23.6" y1="234" x2="340.5" y2="234"/>
    <text class="label label-end" x="15.6" y="234" dy="0.35em">-1</text>
    <line class="axis" x1="23.6" y1="167.3" x2="340.5" y2="167.3"/>
    <text class="label label-end" x="15.6" y="167.3" dy="0.35em">0</text>
    <line class="grid" x1="23.6" y1="100.7" x2="340.5" y2="100.7"/>
    <text class="label label-end" x="15.6" y="100.7" dy="0.35em">1</text>
    <line class="grid" x1="23.6" y1="34" x2="340.5" y2="34"/>
    <text class="label label-end" x="15.6" y="34" dy="0.35em">2</text>
    <line class="tick" x1="23.6" y1="234" x2="23.6" y2="239"/>
    <text class="label label-middle" x="23.6" y="251" dy="0.35em">1 Mar</text>
    <line class="tick" x1="182" y1="234" x2="182" y2="239"/>
    <text class="label label-middle" x="182" y="251" dy="0.35em">2 Mar</text>
    <line class="tick" x1="340.5" y1="234" x2="340.5" y2="239"/>
    <text class="label label-middle" x="340.5" y="251" dy="0.35em">3 Mar</text>
    <path class="line series-2" d="M23.6 200.7L182 167.3L340.5 100.7"/>
    <path class="line series-1" d="M23.6 67.3L182 134L340.5 34"/>
    </svg>
    "##);
}

#[test]
fn series_as_a_table() {
    let (days, issued) = (days(2), series("Issued", &[1_i64]));
    insta::assert_snapshot!(table_rows(&time_series(&days, &[issued]).table()), @r##"
    <table class="chart-table"><caption>Points</caption><thead>
    <tr><th scope="col">Day</th><th scope="col">Issued</th></tr></thead><tbody>
    <tr><th scope="row">2026-03-01</th><td>1</td></tr>
    <tr><th scope="row">2026-03-02</th><td>missing</td></tr></tbody>
    </table>
    "##);
}

#[test]
fn bars_in_rows() {
    let products =
        [Bar { label: "Mug", value: 12_i64.into() }, Bar { label: "Bag & tag", value: (-4_i64).into() }];
    insta::assert_snapshot!(lines(&bars(&products, Direction::Horizontal).svg(Size::Wide)), @r##"
    <svg class="chart chart-bars chart-wide" role="img" aria-labelledby="issued-chart-wide-title issued-chart-wide-desc" viewBox="0 0 640 60" width="100%">
    <title id="issued-chart-wide-title">Points</title>
    <desc id="issued-chart-wide-desc">Points per day.</desc>
    <g>
    <title>Mug
    12</title>
    <text class="label" x="0" y="15" dy="0.35em">Mug</text>
    <rect class="bar series-1" x="234.4" y="6" width="382.9" height="18" rx="2"/>
    <text class="value" x="624.4" y="15" dy="0.35em">12</text>
    </g>
    <g>
    <title>Bag &amp; tag
    -4</title>
    <text class="label" x="0" y="45" dy="0.35em">Bag &amp; tag</text>
    <rect class="bar series-1" x="106.8" y="36" width="127.7" height="18" rx="2"/>
    <text class="value label-end" x="99.8" y="45" dy="0.35em">-4</text>
    </g>
    <line class="axis" x1="234.4" y1="0" x2="234.4" y2="60"/>
    </svg>
    "##);
}

#[test]
fn bars_in_columns() {
    let products = [Bar { label: "Mug", value: 12_i64.into() }, Bar { label: "Bag", value: 4_i64.into() }];
    insta::assert_snapshot!(lines(&bars(&products, Direction::Vertical).svg(Size::Narrow)), @r##"
    <svg class="chart chart-bars chart-narrow" role="img" aria-labelledby="issued-chart-narrow-title issued-chart-narrow-desc" viewBox="0 0 360 224" width="100%">
    <title id="issued-chart-narrow-title">Points</title>
    <desc id="issued-chart-narrow-desc">Points per day.</desc>
    <g>
    <title>Mug
    12</title>
    <rect class="bar series-1" x="92" y="22" width="56" height="180" rx="2"/>
    <text class="value label-middle" x="120" y="11" dy="0.35em">12</text>
    <text class="label label-middle" x="120" y="213" dy="0.35em">Mug</text>
    </g>
    <g>
    <title>Bag
    4</title>
    <rect class="bar series-1" x="212" y="142" width="56" height="60" rx="2"/>
    <text class="value label-middle" x="240" y="131" dy="0.35em">4</text>
    <text class="label label-middle" x="240" y="213" dy="0.35em">Bag</text>
    </g>
    <line class="axis" x1="0" y1="202" x2="360" y2="202"/>
    </svg>
    "##);
}

#[test]
fn small_line() {
    let (days, issued) = (days(4), series("Issued", &[3_i64, 5, 4, 9]));
    insta::assert_snapshot!(lines(&sparkline(&days, &issued).svg()), @r##"
    <svg class="sparkline" role="img" aria-labelledby="issued-title issued-desc" viewBox="0 0 120 32" width="100%">
    <title id="issued-title">Points</title>
    <desc id="issued-desc">Points per day.</desc>
    <path class="line series-1" d="M4 28L41.3 20L78.7 24L116 4"/>
    <circle class="dot series-1" cx="116" cy="4" r="3"/>
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
