@layout_rows
