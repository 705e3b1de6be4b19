select index_bare_months($1)
