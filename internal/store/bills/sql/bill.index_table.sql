set local maintenance_work_mem = '192MB';
set local default_statistics_target = 20;
create unique index charge_rows_:number_id on charge_rows_:number (charge_id);
analyze charge_rows_:number (charge_id, scope, item, resource, tag_set, starts, ends);
set local maintenance_work_mem = default;
set local default_statistics_target = default
