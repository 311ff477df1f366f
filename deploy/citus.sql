-- Splits a database by tenant with Citus: each tenant's rows stand together on one of several servers, and every
-- statement of pointbook, which names one tenant, goes to that one. After `pointbook migrate`, as the owner, on the
-- coordinator, once, before there is data: psql --set=ON_ERROR_STOP=1 --file=deploy/citus.sql
--
-- What Citus refuses, and pointbook therefore never does: a primary, unique or foreign key without the tenant, SELECT ...
-- FOR UPDATE without the tenant, triggers on rows, volatile functions such as now() and random() in an UPDATE. Advisory
-- locks and LISTEN/NOTIFY would work, but on one server each.
--
-- NOT RUN by those who wrote it, on no version of Citus: tests compare it with the schema, and that is all. Try it, and
-- pointbook on it, with a copy of your data first. Not proved are, above all:
-- * this script: while a table is split, those that point to it are still local ones. Citus may want the coordinator in its
--   metadata for that, SELECT citus_set_coordinator_host('HOST'), or refuse;
-- * INSERT ... SELECT FROM unnest(...), and CROSS JOIN LATERAL over unnest(...): most writes are sent so.
--
-- Connect as the owner, and not as the role of `migrate --service-role`: the tenant that its transactions set by
-- set_config stays on the coordinator, so the policies on the other servers would show it nothing. With that role go its
-- grants, too: the owner may change and delete rows of the ledger.

-- The list of tenants, whole on every server: all other tables point to it.
SELECT create_reference_table('tenants');

-- Rows of one tenant, by its id. Tables come after those that they point to.
SELECT create_distributed_table('users', 'tenant_id');
SELECT create_distributed_table('categories', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('products', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('transactions', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('history_days', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('orders', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('request_keys', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('tenant_secrets', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('catalogue_versions', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('jobs', 'tenant_id', colocate_with => 'users');
SELECT create_distributed_table('tokens', 'tenant_id', colocate_with => 'users');

-- schema_migrations stays an ordinary table of the coordinator, where `migrate` runs and all instances connect.
