package metrics

var deliveries = Dataset{
	Name: "deliveries",
	Lead: []string{"source", "partition", "state", "rows", "published_at", "role", "files", "export", "delivery_id"},
	Doc:  "One delivery of a billing export, replaced ones included.",
	Columns: sourced("deliveries, delivery_files, control_totals", []Column{
		attr("delivery_id", ID, "Delivery."),
		attr("import_id", ID, "Import that brought it."),
		attr("source", Text, "Import source: aws-cur, gcp-billing …"),
		attr("export", Text, "Export as its provider names it."),
		attr("scope", Text, "Part of the export: billing account, profile or subscription; NULL for all of it."),
		attr("dataset", Text, "Kind of rows: ActualCost, detailed …; NULL if the export has only one."),
		attr("partition", Text, "Billing month, or the day of export."),
		attr("kind", Text, "snapshot: a newer one replaces it; append: it is one part of many.").values("snapshot", "append"),
		attr("state", Text, "current: its lines count; superseded: a newer one took its place; older: it came after a "+
			"newer one.").
			values("current", "superseded", "older"),
		attr("role", Text, "book if any of its totals is posted, else evidence.").values(roleNames...),
		attr("delivered_at", Time, "When its provider wrote it; NULL if unknown."),
		attr("published_at", Time, "When it came into the ledger."),
		attr("files", Count, "Files it consists of."),
		attr("rows", Count, "Rows of these files."),
		attr("superseded_by", ID, "Delivery that took its place."),
	}...),
	RowKey: []string{"delivery_id"},
	Order:  []Order{{Column: "published_at"}},
}

var importCounts = Dataset{
	Name: "import_counts",
	Lead: []string{"source", "kind", "reason", "rows", "import_id"},
	Doc:  "Counts by reason: rows of an import that became no facts, and refused files and deliveries.",
	Columns: sourced("import_counts, imports", []Column{
		attr("import_id", ID, "Import."),
		attr("source", Text, "Import source."),
		attr("kind", Text, "rejected: wrong rows; ignored: rows that nothing uses, or that belong to a refused file or "+
			"delivery; refused: files and deliveries, not rows.").values("rejected", "ignored", "refused"),
		attr("reason", Text, "Reason, or the name of the ignored rows."),
		attr("rows", Count, "Rows; for kind refused, files and deliveries."),
	}...),
	RowKey: []string{"import_id", "kind", "reason"},
	Order:  []Order{{Column: "import_id"}, {Column: "kind", Desc: true}, {Column: "rows", Desc: true}},
}

var rejections = Dataset{
	Name: "rejections",
	Lead: []string{"source", "file", "line", "column", "reason", "detail", "import_id"},
	Doc: "One rejected row, or refused file or delivery, of an import, with its place and what to do about it: the " +
		"first thousand of each import. import_counts counts all.",
	Columns: sourced("rejections, imports", []Column{
		attr("import_id", ID, "Import."),
		attr("source", Text, "Import source."),
		attr("ordinal", Count, "Number within the import, from 1."),
		attr("file", Text, "File."),
		attr("line", Count, "Line in the file, 1-based; row number in Parquet; NULL for a file as a whole."),
		attr("column", Text, "Column; NULL when the row as a whole is refused."),
		attr("reason", Text, "Reason, as import_counts counts it."),
		attr("detail", Text, "What was found and what to do about it."),
	}...),
	RowKey: []string{"import_id", "ordinal"},
	Order:  []Order{{Column: "import_id"}, {Column: "ordinal"}},
}
