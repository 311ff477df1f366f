# Search
search = Search
search-label = Member, order, product, activity
search-none = Nothing found for “{ $name }”.
search-all = Show all
search-members = Members
search-activities = Activities
search-orders = Orders
search-products = Products
search-hint-members = A member: the id, or a part of it.
search-hint-activities = An activity: the member’s id, a space, and the source id. A source id alone is not enough, because ledgers are kept by member.
search-hint-orders = An order: its whole number or id.
search-hint-products = A product: a part of its title, SKU or id.
search-nothing-allowed = Your role finds nothing here.
