-- What the scheduler's register of a node, and rows that only tell a card's MIG
-- mode, say of devices: cards that perhaps no exporter ever showed (rules 2.4, 3.1).
set local lock_timeout = '5s';

create table device_facts (
  tenant_id int not null references tenants,
  cluster text not null, node text not null, device text not null,
  device_index int not null,                             -- -1: not told; merges to the larger, as the model does
  model text not null,
  in_mig boolean not null, registered boolean not null,
  first_at timestamptz not null, last_at timestamptz not null,
  primary key (tenant_id, cluster, node, device)
) with (fillfactor = 70);
---- create above / drop below ----
drop table device_facts;
