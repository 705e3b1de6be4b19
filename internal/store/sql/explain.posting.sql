-- Where a posting stands.
select p.hour, p.part_id, p.usage_id, p.node_id from postings p where p.tenant_id = $1 and p.posting_id = $2
