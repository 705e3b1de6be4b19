-- The key lock lasts until the commit: nobody ends the calculation before.
select from calculations where tenant_id = $1 and calculation_id = $2 and finished_at is null for key share
