package facts

// FactStatistics are the tables of facts whose planner statistics are refreshed.
var FactStatistics = []string{"node_facts", "devices", "device_facts", "node_stretches", "workload_facts", "objects",
	"checkpoint_facts", "placements", "pod_state_hours", "node_state_hours", "source_hours",
	"sample_hours", "hold_evidence"}

// manyRows is how many new sample hours in one import make a refresh of statistics worthwhile.
const manyRows = 5000
