package main

func service() board {
	return board{
		uid: "gpuledger-service", title: "gpuledger itself",
		doc: "Whether gpuledger answers, is up to date and gets its data. The alerts of deploy/prometheus read the same.",
		panels: []panel{
			{title: "Database", doc: "1: it answers.", width: 4, prom: `min(gpuledger_database_up)`},
			{title: "Node-days to allocate", doc: "Waiting work.", width: 4, prom: `max(gpuledger_dirty_node_days)`},
			{title: "Refused imports", doc: "Addresses whose newest import was refused.", width: 4,
				prom: `sum(gpuledger_imports_refused)`},
			{title: "Months to close", doc: "Ended and open.", width: 4, prom: `max(gpuledger_periods_to_close)`},
			{title: "Allocated", doc: "Time since the last allocation.", unit: seconds, width: 4,
				prom: `time() - max(gpuledger_allocation_finished_timestamp_seconds)`},
			{title: "Figures read", doc: "Time since the ledger's figures were read.", unit: seconds, width: 4,
				prom: `time() - max(gpuledger_figures_read_timestamp_seconds)`},
			{title: "Answers per second", doc: "By kind of address.", form: lines, unit: "reqps", width: 12,
				prom: `sum by (kind) (rate(gpuledger_http_request_seconds_count[5m]))`, legend: "{{kind}}"},
			{title: "Time of an answer, p95", doc: "By kind of address.", form: lines, unit: seconds, width: 12,
				prom:   `histogram_quantile(0.95, sum by (kind, le) (rate(gpuledger_http_request_seconds_bucket[5m])))`,
				legend: "{{kind}}"},
			{title: "Failed answers per second", doc: "Status 5xx.", form: lines, unit: "reqps", width: 12,
				prom: `sum by (kind) (rate(gpuledger_http_request_seconds_count{code="5xx"}[5m]))`, legend: "{{kind}}"},
			{title: "Turns in use", doc: "Heavy questions and exports that are being answered.", form: lines, width: 12,
				prom: `label_replace(sum(gpuledger_questions_in_flight), "turn", "questions", "", "")
  or label_replace(sum(gpuledger_exports_in_flight), "turn", "exports", "", "")`, legend: "{{turn}}"},
			{title: "Connections in use", doc: "To the database, by pool.", form: lines, width: 12,
				prom: `sum by (pool) (gpuledger_database_connections_in_use)`, legend: "{{pool}}"},
			{title: "Age of data", doc: "By source. Events come only when something happens.", form: lines, unit: seconds,
				width: 12, prom: `time() - gpuledger_source_newest_timestamp_seconds`, legend: "{{kind}} {{source}} {{scope}}"},
			{title: "Against closing", doc: "Reasons by month and step.", form: rows, width: 12,
				prom: `gpuledger_close_blockers > 0 or gpuledger_periods_to_close`},
			{title: "Telemetry that waits", doc: "Requests in the inbox.", form: lines, width: 12,
				prom: `gpuledger_live_inbox_rows`, legend: "{{instance}}"},
			{title: "Memory", doc: "Of the process.", form: lines, unit: "bytes", width: 24,
				prom: `gpuledger_process_resident_memory_bytes`, legend: "{{instance}}"},
		},
	}
}
