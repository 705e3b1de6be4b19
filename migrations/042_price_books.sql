-- Price books whose machines became bill lines, as written, so that a folder of files can be compared with them and
-- written from them. The newest version of a name counts.
set local lock_timeout = '5s';

create table price_books (
  tenant_id int not null references tenants,
  name text not null,
  version int not null,                    -- of the name, from 1
  document text not null,                  -- as written
  delivered_at timestamptz,                -- of its deliveries; null: unknown
  import_id uuid not null,
  stored_at timestamptz not null,
  primary key (tenant_id, name, version)
);
---- create above / drop below ----
drop table price_books;
