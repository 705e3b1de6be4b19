create unique index charge_rows_:number_id on charge_rows_:number (charge_id);
analyze charge_rows_:number (charge_id, scope, item, resource, tag_set, starts, ends)
