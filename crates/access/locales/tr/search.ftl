# Arama
search = Ara
search-label = Üye, sipariş, ürün, etkinlik
search-none = “{ $name }” için bir şey bulunamadı.
search-all = Tümünü göster
search-members = Üyeler
search-activities = Etkinlikler
search-orders = Siparişler
search-products = Ürünler
search-hint-members = Bir üye: kimliği ya da bir bölümü.
search-hint-activities = Bir etkinlik: üyenin kimliği, bir boşluk ve kaynak kimliği. Hareketler üyelere göre tutulduğu için yalnızca kaynak kimliği yetmez.
search-hint-orders = Bir sipariş: numarasının ya da kimliğinin tamamı.
search-hint-products = Bir ürün: başlığının, SKU’sunun ya da kimliğinin bir bölümü.
search-nothing-allowed = Rolünüz burada bir şey bulamaz.
