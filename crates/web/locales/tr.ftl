# Mağaza sayfalarının metinleri.

staging = Deneme ortamı: buradaki siparişler ve puanlar yalnızca deneme içindir.
footer = { $name } ile topladığınız puanlara karşılık hediyeler.
gifts = Hediyeler
my-points = Puanlarım
my-orders = Siparişlerim
to-gifts = Hediyelere dön

search = Ara
category = Kategori
all-categories = Tüm kategoriler
sort = Sırala
newest = Önce yeniler
cheapest = Önce az puanlılar
dearest = Önce çok puanlılar
max-price = En çok, puan
only = Yalnızca
on-sale = İndirimli
new-products = Yeni
popular = Sevilen
apply = Göster
found-one = { $count } hediye
found-many = { $count } hediye
sold-out = Tükendi
nothing-found = Buna uyan hediye yok.
show-all = Tüm hediyeleri göster
instead-of = eski fiyat

quantity = Adet
order = Sipariş ver
points-missing = Bu hediye için { $points } daha gerekli.
confirm = Doğru mu?
total = Toplam
you-have = Puanınız
you-keep = Kalan
order-now = Siparişi onayla
other-price = Fiyat değişti. Hâlâ doğru mu?
order-placed = Teşekkürler. Siparişiniz alındı.
order-number = Sipariş { $name }
no-orders = Henüz siparişiniz yok.
no-points = Henüz puan toplamadınız.
status-placed = Alındı
status-fulfilled = Gönderildi
status-cancelled = İptal edildi
cancel = Bu siparişi iptal et
cancel-hint = { $points } geri alırsınız.
cancel-now = Siparişi iptal et
not-cancelled = Bu sipariş artık iptal edilemez.

not-ordered = Bu sipariş verilemiyor
refused-unknown = Bu hediye artık yok.
refused-sold-out = Bu hediye tükendi.
refused-stock = İstediğiniz kadar kalmadı.
refused-range = Bu, tek sipariş için çok fazla.
refused-points = Puanınız yetmiyor.

sign-in-hint = Size gönderdiğimiz bağlantıyı açın. Bağlantı on dakika geçerlidir ve bir kez kullanılır.
welcome = { $name } mağazasına hoş geldiniz
sign-in-as = { $name } olarak giriş yapıyorsunuz.
demo-people = Demodaki kişiler

error-quantity = Bu adet mümkün değil
error-quantity-hint = Bir sipariş 1 ile 1.000 adet arasındadır. Geri dönün ve başka bir sayı seçin.
error-link = Bu bağlantı çalışmıyor
error-link-unknown = Bağlantı eksik ya da başka bir mağazaya ait. Yenisini isteyin.
error-link-expired = Bağlantı on dakika geçerliydi. Yenisini isteyin.
error-link-used = Bağlantı daha önce kullanıldı. Yenisini isteyin.
error-link-disabled = Bu hesap kapalı.
