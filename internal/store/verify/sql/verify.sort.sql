set local enable_sort = on
