package facts

// FactStatistics are the tables of facts that the planner is told about.
var FactStatistics = []string{"node_facts", "devices", "device_facts", "node_stretches", "workload_facts", "objects",
	"checkpoint_facts", "placements", "pod_state_hours", "node_state_hours", "source_hours",
	"sample_hours", "hold_evidence"}

// manyRows of new hours of samples in one import are worth a look at statistics.
const manyRows = 5000
