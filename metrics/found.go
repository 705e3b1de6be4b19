package metrics

// Found is a name that a search found: the value of a group key of costs.
type Found struct {
	Key   string // team, project, model, run, workload, service, node or device
	Value string // of the key
	Name  string // as people call it
	Place string // cluster of a run or node, model of a device; empty: none
}
