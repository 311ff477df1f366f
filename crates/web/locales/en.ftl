# What the pages of the shop say.

staging = Staging: orders and points here are only for tests.
footer = Gifts for the points that you collected with { $name }.
gifts = Gifts
my-points = My points
my-orders = My orders
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
found-one = { $count } gift
found-many = { $count } gifts
sold-out = Sold out
nothing-found = No gifts match.
show-all = Show all gifts
instead-of = instead of

quantity = Pieces
order = Order
points-missing = You need { $points } more for this gift.
confirm = Is this right?
total = Total
you-have = You have
you-keep = You keep
order-now = Order now
other-price = The price has changed. Is this still right?
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
not-cancelled = This order cannot be cancelled any more.

not-ordered = This order is not possible
refused-unknown = This gift is not available any more.
refused-sold-out = This gift is sold out.
refused-stock = There are fewer pieces left than you want.
refused-range = This is too much for one order.
refused-points = Your points are not enough.

sign-in-hint = Open the link that you got from us. It signs you in once, within ten minutes.
welcome = Welcome to { $name }
sign-in-as = You sign in as { $name }.
demo-people = The people of the demo

error-quantity = This number of pieces is not possible
error-quantity-hint = An order has between 1 and 1,000 pieces. Go back and choose another number.
error-link = This link does not work
error-link-unknown = It is incomplete, or it is for another shop. Ask for a new one.
error-link-expired = It was good for ten minutes. Ask for a new one.
error-link-used = It was used before. Ask for a new one.
error-link-disabled = This account is disabled.
