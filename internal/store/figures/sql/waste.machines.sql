-- What a day says of all machines.
select trace from waste_days where tenant_id = $1 and day = $2 and scope = 'node' order by subject_id
