insert into statement_lines select * from closing_lines order by line
