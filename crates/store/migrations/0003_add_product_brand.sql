-- The brand of a product. Only the back office sees it.
ALTER TABLE products ADD COLUMN brand TEXT;
