drop table charge_rows_:number
