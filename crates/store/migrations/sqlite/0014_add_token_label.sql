-- What people call a token, so that they know which one to revoke.
ALTER TABLE tokens ADD COLUMN label TEXT;

-- Tokens are removed some time after they expired or were revoked.
CREATE INDEX tokens_by_expiry ON tokens (tenant_id, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_by_revocation ON tokens (tenant_id, revoked_at) WHERE revoked_at IS NOT NULL;
