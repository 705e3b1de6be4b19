set local lock_timeout = '60s';
alter table charge_rows attach partition charge_rows_:number for values from (:number) to (:after);
set local lock_timeout = default
