#!/bin/sh
# Run once by the image of PostgreSQL, in a new data folder: the role that the instances connect with. What it may do,
# `pointbook migrate --service-role` says.
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 --set=password="$SERVICE_PASSWORD" <<'SQL'
CREATE ROLE pointbook_service LOGIN PASSWORD :'password';
SQL
