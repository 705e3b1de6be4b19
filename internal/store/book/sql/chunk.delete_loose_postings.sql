delete from posting_rows p
where p.tenant_id = $1 and p.node_id is null and p.hour = any ($2)
  and not exists (select from posting_terms t where t.tenant_id = p.tenant_id and t.terms_id = p.terms_id and t.state = 'final')
