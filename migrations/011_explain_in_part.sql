-- What explanations show to who sees a part of the books.
set local lock_timeout = '5s';

-- Whether a bill line is somebody's alone: how many postings each part has. They are of
-- the part's machine, where it has one.
create or replace view part_words as
select b.tenant_id, b.hour, b.part_id, b.node_id, b.delivery_id, b.charge_id, b.kind, b.usage_seconds,
  case when b.node_id is null
    then (select count(*) from posting_rows p where p.tenant_id = b.tenant_id and p.hour = b.hour and p.node_id is null and p.part_id = b.part_id)
    else (select count(*) from posting_rows p where p.tenant_id = b.tenant_id and p.hour = b.hour and p.node_id = b.node_id and p.part_id = b.part_id)
  end as postings
from parts b;
create or replace view delivery_words as
select tenant_id, delivery_id, number, state from deliveries;
create or replace view sample_words as
select tenant_id, cluster, node, device_index, slice_id, hour, vectors, device, profile, model, row_count from sample_hours;
---- create above / drop below ----
drop view sample_words;
create view sample_words as
select tenant_id, cluster, node, device_index, slice_id, hour, vectors from sample_hours;
drop view delivery_words;
create view delivery_words as
select tenant_id, delivery_id, number from deliveries;
drop view part_words;
create view part_words as
select tenant_id, hour, part_id, node_id, delivery_id, charge_id, kind, usage_seconds from parts;
