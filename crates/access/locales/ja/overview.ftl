# 概要
overview = 概要
figure-issued = 獲得ポイント（ボーナスを含む）
figure-spent = 利用ポイント
figure-open = ポイント残高の合計
figure-active = アクティブ会員
figure-new = 新規会員
in-28-days = 過去28日間
now = 現在
yesterday = 昨日 { $count }
day = 日付
no-figures = まだ数値がありません
chart-description = 過去28日間の日ごとの値です。
still-counting = 台帳の集計がまだ終わっていません。まだ分からない数値は「–」で表示されます。
days-of-zone = 日付は { $name } のものです。
orders-waiting = 発送待ちの注文: { $count } 件
