select ensure_bare_month($1, $2)
