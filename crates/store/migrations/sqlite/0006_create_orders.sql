-- The product stands here as it was when it was ordered. The third index also serves sums over a product's orders,
-- without a look at the orders themselves.
CREATE TABLE orders (
    tenant_id     TEXT    NOT NULL,
    id            TEXT    NOT NULL,
    number        TEXT    NOT NULL,
    user_id       TEXT    NOT NULL,
    product_id    TEXT    NOT NULL,
    product_sku   TEXT    NOT NULL,
    product_title TEXT    NOT NULL,
    product_price INTEGER NOT NULL CHECK (product_price BETWEEN 0 AND 9007199254740991),
    quantity      INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
    points        INTEGER NOT NULL CHECK (points BETWEEN 0 AND 9007199254740991),
    takes_stock   INTEGER NOT NULL CHECK (takes_stock IN (0, 1)),
    status        TEXT    NOT NULL CHECK (status IN ('placed', 'fulfilled', 'cancelled')),
    created_at    INTEGER NOT NULL,
    fulfilled_at  INTEGER,
    cancelled_at  INTEGER,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
    FOREIGN KEY (tenant_id, product_id) REFERENCES products (tenant_id, id),
    CHECK (points = product_price * quantity),
    CHECK ((status = 'fulfilled') = (fulfilled_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX orders_by_time ON orders (tenant_id, created_at, id);
CREATE INDEX orders_by_user ON orders (tenant_id, user_id, created_at, id);
CREATE INDEX orders_by_product ON orders (tenant_id, product_id, status, takes_stock, quantity);
CREATE INDEX orders_by_status ON orders (tenant_id, status, created_at, id);
