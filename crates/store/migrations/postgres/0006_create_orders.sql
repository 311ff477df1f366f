-- The product stands here as it was when it was ordered. The third index also serves sums over a product's orders,
-- without a look at the orders themselves.
CREATE TABLE orders (
    tenant_id     TEXT COLLATE "C" NOT NULL,
    id            TEXT COLLATE "C" NOT NULL,
    number        TEXT COLLATE "C" NOT NULL,
    user_id       TEXT COLLATE "C" NOT NULL,
    product_id    TEXT COLLATE "C" NOT NULL,
    product_sku   TEXT COLLATE "C" NOT NULL,
    product_title TEXT COLLATE "C" NOT NULL,
    product_price BIGINT           NOT NULL CHECK (product_price BETWEEN 0 AND 9007199254740991),
    quantity      BIGINT           NOT NULL CHECK (quantity BETWEEN 1 AND 1000),
    points        BIGINT           NOT NULL CHECK (points BETWEEN 0 AND 9007199254740991),
    takes_stock   BOOLEAN          NOT NULL,
    status        TEXT COLLATE "C" NOT NULL CHECK (status IN ('placed', 'fulfilled', 'cancelled')),
    created_at    BIGINT           NOT NULL,
    fulfilled_at  BIGINT,
    cancelled_at  BIGINT,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, number),
    FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
    FOREIGN KEY (tenant_id, product_id) REFERENCES products (tenant_id, id),
    CHECK (points = product_price * quantity),
    CHECK ((status = 'fulfilled') = (fulfilled_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL))
);

CREATE INDEX orders_by_time ON orders (tenant_id, created_at, id);
CREATE INDEX orders_by_user ON orders (tenant_id, user_id, created_at, id);
CREATE INDEX orders_by_product ON orders (tenant_id, product_id, status, takes_stock, quantity);
CREATE INDEX orders_by_status ON orders (tenant_id, status, created_at, id);
