create temp table if not exists closing_lines (like statement_lines) on commit drop;
truncate closing_lines
