package metrics

import "slices"

var reconciliation = Dataset{
	Name: "reconciliation",
	Lead: []string{"account", "billing_period", "metric", "difference", "source_total", "posted_total", "currency",
		"role", "provider", "state"},
	Doc: "Whether bills add up: one current delivery, account, billing period, currency and metric; the delivery's own " +
		"total against the posted total.",
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
		moneyColumn("source_total", "Σ of the raw column text, from a separate pass over the files.",
			Field("source_total")).ofGroups(Sum("source_total")),
		moneyColumn("invoice_total", "Total of the provider's invoice.",
			Formula{Op: OpUnknown}).caveat("Always NULL: no invoices are imported yet."),
		moneyColumn("posted_total", "Σ of the postings of the delivery's charges; NULL for evidence.", Field("posted_total")).
			ofGroups(Sum("posted_total")),
		moneyColumn("difference", "source_total − posted_total; NULL for evidence. Not 0 means that something is not posted.",
			Field("difference")).ofGroups(Sum("difference")),
		attr("charges", Count, "Bill lines of this account, period and currency; aggregates count as the lines they "+
			"stand for.").ofGroups(Sum("charges")),
		attr("unposted_charges", Count,
			"Of those, lines whose first part is not posted; NULL for evidence.").by(Field("unposted_charges")).
			ofGroups(Sum("unposted_charges")).
			caveat("A provider's own split of another line is never posted and does not count."),
		attr("state", Text, "Least settled of the postings; open if nothing is posted yet.").values("open", "final"),
		moneyColumn("evidence_gap",
			"Total of the evidence − total of the book; NULL for the book, and without a book.", Field("evidence_gap")),
	}...),
	RowKey:  []string{"billing_period", "delivery_id", "account", "currency", "metric"},
	Order:   []Order{{Column: "billing_period"}, {Column: "billing_account"}, {Column: "account"}, {Column: "role"}},
	Aliases: nil,
}

var restatements = Dataset{
	Name: "restatements",
	Lead: []string{"restated_at", "account", "service_name", Basis, "currency", "added", "removed", "changed",
		"billing_period", "delivery_state"},
	Doc: "Changes that a delivery made when it replaced another: one service of one account, billing period and " +
		"currency. Cost is new minus old.",
	Columns: sourced("restatements, restatement_deltas, deliveries, charges", slices.Concat(
		[]Column{
			attr("delivery_id", ID, "Delivery that replaced another."),
			attr("replaced", ID, "Delivery that it replaced."),
			attr("source", Text, "Import source of both."),
			attr("export", Text, "Export of both."),
			attr("partition", Text, "Partition of both: the billing month, or the day of export."),
			attr("restated_at", Time, "When it was published."),
			attr("account", Text, "Sub-account."),
			attr("service_name", Text, "Provider's service; NULL when it names none."),
			attr("billing_period", Text, "Billing month."),
			currency(),
			attr("added", Count, "Lines that the old delivery did not have."),
			attr("removed", Count, "Lines that the new delivery does not have."),
			attr("changed", Count, "Lines of the same line-item type, account, resource, usage type and charge period with "+
				"other content."),
		},
		fourCosts(),
		[]Column{
			attr("state", Text, "final when the billing period is closed for an account of it, else open.").values("open",
				"final"),
			attr("delivery_state", Text, "Whether the delivery was replaced since.").values("current", "superseded", "older"),
		},
	)...),
	RowKey: []string{"delivery_id", "replaced", "account", "service_name", "billing_period", "currency"},
	Order:  []Order{{Column: "restated_at"}, {Column: "billing_period"}, {Column: "account"}, {Column: "service_name"}},
}

var imports = Dataset{
	Name: "imports",
	Lead: []string{"started_at", "source", "state", "uri", "rows_read", "accepted", "rejected", "message", "files",
		"import_id"},
	Doc: "One import: rows read, accepted, rejected and ignored.",
	Columns: sourced("imports", []Column{
		attr("import_id", ID, "Import."),
		attr("source", Text, "Import source: aws-cur, openmetrics …"),
		attr("uri", Text, "Address of the imported data."),
		attr("cluster", Text, "Cluster given or found."),
		attr("state", Text, "How it ended; unchanged: the same rows were there already; older: a newer delivery was "+
			"there already.").
			values("running", "published", "unchanged", "older", "refused"),
		attr("started_at", Time, "Start."),
		attr("finished_at", Time, "End; NULL while running."),
		attr("files", Count, "Files read."),
		attr("bytes", Count, "Bytes read.").unit("bytes"),
		attr("rows_read", Count, "Rows read = accepted + rejected + ignored, once it has ended."),
		attr("accepted", Count, "Rows that became facts."),
		attr("rejected", Count, "Rows that are wrong, counted by reason in import_counts and listed in rejections."),
		attr("ignored", Count, "Rows that nothing uses, or that were read but not published; by reason in import_counts."),
		attr("refused", Count, "Refused files and deliveries, which do not count as rows; NULL for imports by versions that "+
			"counted them among the rejected rows."),
		attr("message", Text, "What went wrong, NULL when nothing did."),
		attr("phase", Text, "What a running import does: survey, read, publish; NULL once it has ended."),
		attr("files_done", Count, "Files done in that phase; once it has ended, those that were read to their end."),
		attr("bytes_done", Count,
			"Bytes done in that phase; once it has ended, those of files that were read to their end.").unit("bytes"),
		attr("rows_done", Count, "Rows handed to the database so far; once it has ended, all rows read."),
		attr("progress_at", Time, "When the progress was last reported."),
		attr("eta_seconds", Duration, "Rest of the phase at its speed so far; NULL while unknown.").unit("seconds"),
		attr("restated_added", Count,
			"Lines that its deliveries added when they replaced others; NULL when they replaced none."),
		attr("restated_removed", Count, "Lines that they removed."),
		attr("restated_changed", Count, "Lines that they changed."),
	}...),
	RowKey: []string{"import_id"},
	Order:  []Order{{Column: "started_at"}},
}
