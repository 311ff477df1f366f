# What the pages of the shop say.

thousands = ,
points-one = { $points } point
points-many = { $points } points
date = { $day } { $month } { $year }
month-1 = January
month-2 = February
month-3 = March
month-4 = April
month-5 = May
month-6 = June
month-7 = July
month-8 = August
month-9 = September
month-10 = October
month-11 = November
month-12 = December

skip = Skip to the content
navigation = Navigation
staging = Staging: orders and points here are only for tests.
footer = Gifts for the points that you collected with { $name }.
gifts = Gifts
my-points = My points
my-orders = My orders
sign-out = Sign out
to-gifts = To the gifts

search = Search
category = Category
all-categories = All categories
sort = Sort by
newest = Newest first
cheapest = Fewest points first
dearest = Most points first
max-price = At most, in points
only = Only
on-sale = Reduced
new-products = New
popular = Popular
apply = Show
found = { $count ->
    [one] { $count } gift
   *[other] { $count } gifts
}
nothing-found = No gift is like that.
show-all = Show all gifts
instead-of = instead of

pages = Pages
page-before = Previous
page-after = Next
page-of = Page { $page } of { $pages }

quantity = Pieces
order = Order
points-missing = { $points } are missing for this gift.
confirm = Is this right?
total = Total
you-have = You have
you-keep = You keep
order-now = Order now
order-placed = Thank you. The order is placed.
order-number = Order { $name }
no-orders = You have not ordered anything yet.
no-points = You have not collected any points yet.
status-placed = Placed
status-fulfilled = Sent
status-cancelled = Cancelled
cancel = Cancel this order
cancel-hint = You get { $points } back.
cancel-now = Cancel the order

refused-unknown = This gift is not available any more.
refused-sold-out = This gift is sold out.
refused-stock = There are fewer pieces left than you want.
refused-range = This is too much for one order.
refused-points = Your points are not enough.

sign-in = Sign in
sign-in-hint = Open the link that you got from us. It signs you in once, within ten minutes.
welcome = Welcome to { $name }
sign-in-as = You sign in as { $name }.
demo-people = The people of the demo

error-not-found = Page not found
error-not-found-hint = The address is wrong, or what was here is gone.
error-form = This form is out of date
error-form-hint = Go back, load the page again, and send the form again.
error-request = The server cannot read this
error-request-hint = Go back and try again with other values.
error-too-many = Too many requests
error-too-many-hint = Wait a minute, then try again.
error-link = This link does not work
error-link-unknown = It is incomplete, or it is for another shop. Ask for a new one.
error-link-expired = It was good for ten minutes. Ask for a new one.
error-link-used = It was used before. Ask for a new one.
error-link-disabled = This account is disabled.
error-busy = The shop is busy
error-busy-hint = Try again in a moment.
error-internal = Something went wrong
error-internal-hint = It is our fault. Try again later.
