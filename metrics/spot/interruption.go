package spot

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Machine is a machine of price class spot with its known end.
type Machine struct {
	Node       ledger.ID
	Cluster    string
	Name       string
	ProviderID string
	InstanceID string        // its first instance key; empty if no provider names it
	GoneAt     period.Second // known end of its life, 0 if it was only ever billed
}

// Facts are the input of Interruptions.
type Facts struct {
	Machines []Machine
	Events   []ledger.InstanceEvent
	// Observed is the last observed minute of each cluster.
	Observed map[string]period.Second
}

// Interruption is a spot machine that was taken away.
type Interruption struct {
	Node   ledger.ID
	At     period.Second // when the machine ended
	Warned period.Second // the last warning before that
}

// Interruptions lists the machines that were taken away, by node: those that ended at most window seconds after a
// warning or preemption. The end of a machine is known from an event at that instant, or from its cluster being seen
// without it; data that merely stop are no evidence of an end.
func Interruptions(f Facts, window int64) []Interruption {
	warned, ended := map[string][]period.Second{}, map[string][]period.Second{}
	for _, e := range f.Events {
		switch {
		case e.Kind == ledger.EventInterruption:
			warned[e.InstanceID] = append(warned[e.InstanceID], e.At)
		case e.Kind == ledger.EventState && endStates[e.Detail]:
			ended[e.InstanceID] = append(ended[e.InstanceID], e.At)
		}
	}
	var out []Interruption
	for _, m := range f.Machines {
		if m.GoneAt == 0 {
			continue
		}
		i := Interruption{Node: m.Node, At: m.GoneAt}
		gone := f.Observed[m.Cluster] >= m.GoneAt.Floor(period.Minute)+period.Minute
		for _, key := range m.keys() {
			gone = gone || slices.Contains(ended[key], m.GoneAt)
			for _, at := range warned[key] {
				if at <= m.GoneAt && int64(m.GoneAt-at) <= window {
					i.Warned = max(i.Warned, at)
				}
			}
		}
		if gone && i.Warned != 0 {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b Interruption) int { return strings.Compare(a.Node.String(), b.Node.String()) })
	return out
}

// endStates are the states of an instance that end its life (docs/rules.md 2.3).
var endStates = map[string]bool{"shutting-down": true, "terminated": true, "stopping": true, "stopped": true}

// keys are the names that events may use for the machine.
func (m Machine) keys() []string {
	numeric := strings.TrimPrefix(m.InstanceID, "gce/")
	if numeric == m.InstanceID || strings.Contains(numeric, "/") {
		numeric = ""
	}
	keys := ledger.InstanceKeys(m.Cluster, m.Name, m.ProviderID, numeric)
	if m.InstanceID != "" && !slices.Contains(keys, m.InstanceID) {
		keys = append(keys, m.InstanceID)
	}
	return keys
}
