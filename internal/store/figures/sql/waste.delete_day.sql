-- Forgets what a day said, and tells of whom.
delete from waste_days where tenant_id = $1 and day = $2
returning scope, subject_id
