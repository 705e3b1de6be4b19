-- Addresses of pages that users saved under a name, and the one that each of them starts with.
set local lock_timeout = '5s';

create table saved_views (
  tenant_id int not null references tenants,
  view_id uuid not null,
  holder text not null,                    -- whose it is, as access.Holder writes it
  owner text not null,                     -- the holder's name when it was saved
  name text not null,
  url text not null,                       -- path and parameters of a page
  shared boolean not null,
  created_at timestamptz not null,
  primary key (tenant_id, view_id)
);
create index saved_views_holder on saved_views (tenant_id, holder);
create index saved_views_shared on saved_views (tenant_id, created_at) where shared;

-- The start may be another's view, as long as that is shared.
create table start_views (
  tenant_id int not null references tenants,
  holder text not null,
  view_id uuid not null,
  primary key (tenant_id, holder),
  foreign key (tenant_id, view_id) references saved_views on delete cascade
);
create index start_views_view on start_views (tenant_id, view_id);
---- create above / drop below ----
drop table start_views;
drop table saved_views;
