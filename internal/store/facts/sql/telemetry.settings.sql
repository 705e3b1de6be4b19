set local cursor_tuple_fraction = 1;
set local work_mem = '64MB';
-- A process that stands still here must not keep all others from publishing.
set local idle_in_transaction_session_timeout = '60s'
