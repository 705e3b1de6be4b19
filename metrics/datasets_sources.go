package metrics

var reconciliation = Dataset{
	Name: "reconciliation",
	Doc:  "Does it add up: one current delivery, account, billing period, currency and metric; what its text says against what was posted.",
	Columns: sourced("control_totals, deliveries, charges, postings", []Column{
		attr("source", Text, "Import source of the delivery."),
		attr("delivery_id", ID, "Delivery."),
		attr("role", Text, "book: posted; evidence: shown here only.").values(roleNames...),
		attr("provider", Text, "Cloud or source."),
		attr("billing_account", Text, "Payer account."),
		attr("account", Text, "Sub-account."),
		attr("billing_period", Text, "Billing month."),
		currency(),
		attr("metric", Text, "Cost metric that the export carries.").
			values("effective_cost", "billed_cost", "list_cost", "contracted_cost"),
		moneyColumn("source_total", "Σ of the raw column text, from a pass of its own over the files.", Field("source_total")),
		moneyColumn("invoice_total", "Total of the provider's invoice.", Formula{Op: OpUnknown}).caveat("Always NULL: no invoices are imported yet."),
		moneyColumn("posted_total", "Σ of the postings of the delivery's charges; NULL for evidence.", Field("posted_total")),
		moneyColumn("difference", "source_total − posted_total; NULL for evidence. Not 0 means that something is not posted.", Field("difference")),
		attr("charges", Count, "Charges with this metric's account, period and currency."),
		attr("unposted_charges", Count, "Of those, charges without any posting; NULL for evidence.").by(Field("unposted_charges")),
		attr("state", Text, "Least settled of the postings; open where nothing is posted yet.").values("open", "final"),
		moneyColumn("evidence_gap", "Total of the evidence − total of the book; NULL for the book and where there is no book.", Field("evidence_gap")),
	}...),
	RowKey:  []string{"billing_period", "delivery_id", "account", "currency", "metric"},
	Order:   []Order{{Column: "billing_period"}, {Column: "billing_account"}, {Column: "account"}, {Column: "role"}},
	Aliases: nil,
}

var imports = Dataset{
	Name: "imports",
	Doc:  "One import: what was read, accepted, rejected and ignored.",
	Columns: sourced("imports", []Column{
		attr("import_id", ID, "Import."),
		attr("source", Text, "Import source: aws-cur, openmetrics …"),
		attr("uri", Text, "What was imported."),
		attr("cluster", Text, "Cluster given or found."),
		attr("state", Text, "How it ended; unchanged: the same rows were there already; older: a newer delivery was there already.").
			values("running", "published", "unchanged", "older", "refused"),
		attr("started_at", Time, "Start."),
		attr("finished_at", Time, "End; NULL while running."),
		attr("files", Count, "Files read."),
		attr("bytes", Count, "Bytes read.").unit("bytes"),
		attr("rows_read", Count, "Rows read. Of a published import: accepted + rejected + ignored."),
		attr("accepted", Count, "Rows that became facts."),
		attr("rejected", Count, "Rows refused, counted by reason."),
		attr("ignored", Count, "Rows of metrics that nothing uses."),
		attr("message", Text, "What went wrong, NULL when nothing did."),
	}...),
	RowKey: []string{"import_id"},
	Order:  []Order{{Column: "started_at"}},
}
