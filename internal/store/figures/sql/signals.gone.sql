-- Whether the minutes of a day are no longer kept.
select exists (select from sample_retention where tenant_id = $1 and dropped_before > $2)
