-- Pieces in placed orders, and pieces that the operator put in altogether (NULL where the stock is): what a stock is
-- proved with against the orders.
ALTER TABLE products ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0 CHECK (reserved >= 0);
ALTER TABLE products ADD COLUMN stock_supplied INTEGER CHECK (stock_supplied >= 0);
