-- When what is stored of the ledger begins and ends; null where there is nothing.
select s.first, s.last + interval '1 hour' from stored_hours s where s.tenant_id = $1
