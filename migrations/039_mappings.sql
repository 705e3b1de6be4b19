-- Mappings: owner rules, allowed values and mapped values outside the versions of the policy (docs/rules.md, 11.6). The
-- newest version of a name and day counts.
set local lock_timeout = '5s';

create table mappings (
  tenant_id int not null references tenants,
  name text not null,
  valid_from timestamptz not null,         -- start of a UTC day; -infinity: always
  version int not null,                    -- of the name and day, from 1
  document text not null,                  -- as written
  note text not null default '',
  reason text not null default '',         -- why this version
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (tenant_id, name, valid_from, version)
);
---- create above / drop below ----
drop table mappings;
