package metrics

var exportSchedules = Dataset{
	Name: "export_schedules", Logged: true, Expiring: true,
	Lead: []string{"name", "dataset", "every", "target", "format", "last_state", "last_run", "last_error", "months",
		"keep"},
	Doc: "One schedule of exports with the outcome of its newest run.",
	Columns: sourced("export_schedules, export_runs", []Column{
		attr("name", Text, "Name of the schedule."),
		attr("dataset", Text, "Dataset that it exports."),
		attr("options", Text, "Options of the report, written as in an address; NULL: none."),
		attr("format", Text, "Format of the files.").values("csv", "parquet", "xlsx"),
		attr("for_excel", Bool, "Whether texts that a spreadsheet would run as a formula get an apostrophe."),
		attr("target", Text, "Folder below which the files are written."),
		attr("every", Text, "How often it exports, in UTC.").values("hourly", "daily", "weekly", "monthly"),
		attr("months", Count, "Newest billing months that a run exports."),
		attr("keep", Count, "Billing months that stay at the target; NULL: all."),
		attr("changed_at", Time, "When it was stored or changed."),
		attr("changed_by", Text, "Who stored or changed it."),
		attr("last_run", Time, "Scheduled time of the newest run; NULL: none yet."),
		attr("last_state", Text, "Outcome of that run.").values("running", "done", "failed"),
		attr("last_error", Text, "Why it failed; NULL: it did not."),
		attr("last_ended_at", Time, "When it ended; NULL: it has not."),
		attr("last_tries", Count, "How often it was tried."),
		attr("last_done", Time, "Newest scheduled time whose run is done since the schedule was last changed; NULL: none, so "+
			"the schedule is due."),
	}...),
	RowKey: []string{"name"},
	Order:  []Order{{Column: "name"}},
}

var exportRuns = Dataset{
	Name: "export_runs", Logged: true, Expiring: true,
	Lead: []string{"name", "tick", "state", "error", "written", "kept", "removed", "rows", "bytes", "ended_at", "tries"},
	Doc:  "One scheduled time of an export and its outcome: the newest 200 of each schedule.",
	Columns: sourced("export_runs", []Column{
		attr("name", Text, "Name of the schedule."),
		attr("tick", Time, "Scheduled time."),
		attr("state", Text, "Outcome.").values("running", "done", "failed"),
		attr("error", Text, "Why it failed; NULL: it did not."),
		attr("tries", Count, "How often it was tried."),
		attr("started_at", Time, "When the last try began."),
		attr("ended_at", Time, "When it ended; NULL: it has not."),
		attr("written", Count, "Files that were written."),
		attr("kept", Count, "Files that were at the target already, with the same content."),
		attr("removed", Count, "Files that were replaced, or whose month is no longer kept."),
		attr("rows", Count, "Rows in all files."),
		attr("bytes", Count, "Bytes of all files.").unit("bytes"),
	}...),
	RowKey: []string{"name", "tick"},
	Order:  []Order{{Column: "tick", Desc: true}, {Column: "name"}},
}
