create table charge_rows_:number (like charge_rows including defaults including constraints including storage, check (delivery = :number));
alter table charge_rows_:number alter column tenant_id set default :tenant, alter column delivery set default :number
