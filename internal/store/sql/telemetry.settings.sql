set local cursor_tuple_fraction = 1;
set local work_mem = '64MB'
