set local work_mem = '128MB'
