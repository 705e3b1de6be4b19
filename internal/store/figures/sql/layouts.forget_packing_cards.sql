delete from packing_cards where tenant_id = $1 and day = $2
