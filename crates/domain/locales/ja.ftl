# Japanese has one form for every number; the counter follows the thing counted.

code-title = QRコードのスキャン
code-count = QRコードを{ $count }件スキャン

video-title = 動画の視聴
video-count = 動画を{ $count }本視聴

quiz-title = クイズへの回答
quiz-count = クイズに{ $count }件回答

order-title = ギフトストアの注文
order-count = { $refunds ->
    [0] 注文{ $count }件
   *[other] { $count ->
        [0] 返還{ $refunds }件
       *[other] 注文{ $count }件、返還{ $refunds }件
    }
}

expiry-title = ポイントの失効
expiry-count = { $count }件のポイント失効

activity-title = アクティビティ
activity-count = アクティビティ{ $count }件
