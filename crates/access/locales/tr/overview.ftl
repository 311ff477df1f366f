# Genel bakış
overview = Genel bakış
figure-issued = Bonuslarla kazanılan puanlar
figure-spent = Harcanan puanlar
figure-open = Açık puanlar
figure-active = Etkin üyeler
figure-new = Yeni üyeler
in-28-days = 28 günde
now = şimdi
yesterday = dün { $count }
day = Gün
no-figures = Henüz veri yok
chart-description = Son 28 günün her biri için bir değer.
still-counting = Hareketlerin hepsi henüz sayılmadı. Henüz bilinmeyen sayıların yerinde “–” yazar.
days-of-zone = Günler { $name } saatine göredir.
orders-waiting = Gönderilecek sipariş: { $count }
