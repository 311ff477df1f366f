# Orders
orders = Orders
orders-number = Number
orders-age-now = just now
orders-age-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
  }
orders-age-hours = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
  }
orders-age-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
  }
orders-member = Member
orders-product = Product
orders-sku = SKU
orders-pieces = Pieces
orders-points = Points
orders-price = Price of one
orders-total = Total
orders-stock = Stock
orders-stock-taken = Its pieces came from the stock
orders-stock-unlimited = The stock was unlimited
orders-status = Status
orders-status-placed = Waiting
orders-status-fulfilled = Sent
orders-status-cancelled = Cancelled
orders-all = All
orders-placed-at = Placed
orders-fulfilled-at = Sent at
orders-cancelled-at = Cancelled at
orders-id = ID
orders-title = Order { $number }
orders-found-oldest = { $count } waiting, the oldest first.
orders-found-newest = { $count } found, the newest first.
orders-packing-list = Packing list (CSV)
orders-none-wait = No order waits to be sent. New orders of members appear here.
orders-none-found = No order matches. Choose another status.
orders-select-number = Select order { $number }
orders-fulfil-selected = Mark as sent
orders-fulfil = Mark as sent
orders-back = Back to the queue
orders-results = Results
orders-result = Result
orders-results-sum = { $count } of { $of } marked as sent.
orders-result-done = Sent
orders-result-already = Was sent before
orders-result-cancelled = Was cancelled before
orders-result-unknown = No such order
orders-result-failed = Not done: try again
orders-error-none = Select at least one order.
orders-error-too-many = Select at most 100 orders at a time.
orders-cancel = Cancel order
orders-cancel-hint = The member gets { $points } back, and the pieces go back to the stock. A cancelled order stays cancelled.
orders-reason = Reason, for the audit log
orders-error-reason = Give a reason of at most 1,000 characters.
orders-error-fulfilled = The order was sent meanwhile. Nothing was changed.
orders-error-cancelled = The order was cancelled meanwhile. Nothing was changed.
orders-error-range = The balance of the member would get too large. Nothing was changed.
orders-error-refund = The points of this order were returned before. Nothing was changed. Run an audit of the tenant.
said-order-fulfilled = The order is marked as sent.
said-order-cancelled = The order is cancelled, and the points are returned.
orders-waits-long = Longer than 3 days
orders-waits-some = 1 to 3 days
orders-waits-short = Today
orders-search = Number, member or product
orders-waits = Waits
orders-what = What
orders-who = Who
orders-history = When
