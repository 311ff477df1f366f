-- Operators who wait for a sign-in link: one row for each, until a link is made or the operator is in.
CREATE TABLE link_requests (
    tenant_id   TEXT NOT NULL,
    operator_id TEXT NOT NULL,
    asked_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, operator_id),
    FOREIGN KEY (tenant_id) REFERENCES tenants (id)
);
