-- Whoever has the lock knows that no calculation goes on: what one that was cut
-- off would still write is refused.
update calculations set finished_at = $2, message = 'the books were closed or reopened meanwhile' where tenant_id = $1 and finished_at is null
