-- What lists of products filter and sort by, so that they need no descriptions: these make a row long.
CREATE INDEX products_listed ON products (tenant_id, retired_at, stock, active, popular, sale_price, title [SQLite], regular_price, published_at);
