select ensure_month($1, $2)
