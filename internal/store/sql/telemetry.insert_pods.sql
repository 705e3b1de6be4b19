insert into pods select * from next_pods where tenant_id = $1
