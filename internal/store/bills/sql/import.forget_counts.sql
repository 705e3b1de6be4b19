with counts as (delete from import_counts where tenant_id = $1 and import_id = $2)
delete from rejections where tenant_id = $1 and import_id = $2
