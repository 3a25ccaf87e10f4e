# The roles and the database of docs/operations.md, "A PostgreSQL server", with the passwords of the URLs that the app is given.
# The image of PostgreSQL reads this file into its own shell.

password_in() {
  sed -E 's#^[a-z]+://[^:]+:([^@]+)@.*$#\1#' "/run/secrets/$1"
}

psql --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres \
  --set=owner="$(password_in database_url)" --set=app="$(password_in app_database_url)" << 'SQL'
create role tallyroom login password :'owner';
create role tallyroom_app login password :'app';
grant tallyroom_app to tallyroom;
create database tallyroom owner tallyroom;
SQL
