-- Pieces in placed orders, and pieces that the operator put in altogether (NULL where the stock is): what a stock is
-- proved with against the orders.
ALTER TABLE products ADD COLUMN reserved BIGINT NOT NULL DEFAULT 0
    CONSTRAINT products_reserved_check CHECK (reserved >= 0);
ALTER TABLE products ADD COLUMN stock_supplied BIGINT
    CONSTRAINT products_stock_supplied_check CHECK (stock_supplied >= 0);
