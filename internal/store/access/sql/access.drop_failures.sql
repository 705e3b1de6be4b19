delete from sign_in_failures where tenant_id = $1 and name = $2 and address = $3
