delete from restatement_deltas where tenant_id = $1 and delivery_id = $2 and replaced = $3
