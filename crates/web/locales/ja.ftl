# ショップのページの文言。

staging = テスト環境です。ここでの注文とポイントはテスト用です。
footer = { $name }で貯めたポイントをギフトと交換できます。
gifts = ギフト
my-points = ポイント履歴
my-orders = 注文履歴
to-gifts = ギフト一覧へ

search = 検索
category = カテゴリー
all-categories = すべてのカテゴリー
sort = 並べ替え
newest = 新着順
cheapest = ポイントの少ない順
dearest = ポイントの多い順
max-price = 上限ポイント
only = 絞り込み
on-sale = 割引中
new-products = 新着
popular = 人気
apply = 表示
found-one = { $count }件のギフト
found-many = { $count }件のギフト
sold-out = 品切れ
nothing-found = 該当するギフトがありません。
show-all = すべてのギフトを表示
instead-of = 通常

quantity = 個数
order = 交換する
points-missing = このギフトにはあと{ $points }必要です。
confirm = この内容でよろしいですか。
total = 合計
you-have = 現在の残高
you-keep = 交換後の残高
order-now = 注文を確定する
other-price = 価格が変わりました。この内容でよろしいですか。
order-placed = ありがとうございます。ご注文を承りました。
order-number = 注文 { $name }
no-orders = まだ注文がありません。
no-points = まだポイントがありません。
status-placed = 受付済み
status-fulfilled = 発送済み
status-cancelled = キャンセル済み
cancel = この注文をキャンセルする
cancel-hint = { $points }が戻ります。
cancel-now = キャンセルを確定する
not-cancelled = この注文はキャンセルできなくなりました。

not-ordered = この注文はできません
refused-unknown = このギフトは現在お取り扱いがありません。
refused-sold-out = このギフトは品切れです。
refused-stock = ご希望の個数の在庫がありません。
refused-range = 1回の注文の上限を超えています。
refused-points = ポイントが足りません。

sign-in-hint = お送りしたリンクを開いてください。リンクは10分間有効で、1回だけ使えます。
welcome = { $name }へようこそ
sign-in-as = { $name }としてログインします。
demo-people = デモの利用者を見る

error-quantity = この個数では注文できません
error-quantity-hint = 1回の注文は1個から1,000個までです。前のページに戻り、個数を変えてください。
error-link = このリンクは使えません
error-link-unknown = リンクが途中で切れているか、別のショップのものです。新しいリンクをお求めください。
error-link-expired = リンクの有効期限の10分を過ぎました。新しいリンクをお求めください。
error-link-used = このリンクはすでに使われています。新しいリンクをお求めください。
error-link-disabled = このアカウントは停止されています。
