# A Turkish noun stays singular after a number.

code-title = QR kod okutma
code-count = { $count } kod okutuldu

video-title = Video izleme
video-count = { $count } video izlendi

quiz-title = Bilgi testi
quiz-count = { $count } bilgi testi yanıtlandı

order-title = Hediye mağazası siparişi
order-count = { $refunds ->
    [0] { $count } sipariş
   *[other] { $count ->
        [0] { $refunds } iade
       *[other] { $count } sipariş, { $refunds } iade
    }
}

expiry-title = Puanların süresi doldu
expiry-count = { $count } kez puanların süresi doldu

activity-title = Etkinlik
activity-count = { $count } etkinlik
