package awscur

import (
	"strings"

	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// Split cost allocation rows repeat, per pod and resource, a share of the cost on an instance
// row. They are evidence: shown next to the ledger, never added to it.

// split turns a split row into evidence.
func (m *mapper) split(r row, c *ledger.Charge) *table.CellError {
	if !r.isSplit() {
		return nil
	}
	used, unused := colSplitCost, colSplitUnused
	if r.s.net {
		used, unused = colNetSplitCost, colNetSplitUnused
	}
	s := &ledger.SplitCost{
		Parent: ledger.AWSInstanceKey(m.word(r, colSplitParent)), Resource: m.words.Intern(splitResource(c.UsageType)),
	}
	var bad *table.CellError
	if s.Used, bad = r.AmountOf(used); bad != nil {
		return bad
	}
	if s.Unused, bad = r.AmountOf(unused); bad != nil {
		return bad
	}
	s.Cluster, s.Namespace, s.Pod, s.PodUID = podOf(c.ResourceID)
	c.Split, c.Kind = s, ledger.LineSplit
	c.InstanceID, c.InstanceHours, c.InstanceSeconds = "", false, nil
	for _, metric := range ledger.Metrics {
		if c.Get(metric) != nil {
			c.Set(metric, &money.Amount{})
		}
	}
	return nil
}

// isSplit reports whether the row is a share of another one. A row that has its own cost is
// not, whatever it names.
func (r row) isSplit() bool {
	if !r.s.has(colSplitParent) || r.TextOf(colSplitParent) == "" {
		return false
	}
	for _, c := range []column{colUnblended, colNetUnblended} {
		if t := r.TextOf(c); strings.Trim(t, "-+0.eE") != "" {
			return false
		}
	}
	return true
}

// splitResource is the resource that the row shares out: its usage type ends in
// EKS-EC2-vCPU-Hours, EKS-EC2-GB-Hours or another word for accelerators.
func splitResource(usageType string) string {
	_, word, found := strings.Cut(usageType, "-EC2-")
	if !found {
		return usageType
	}
	word = strings.TrimSuffix(word, "-Hours")
	switch lower := strings.ToLower(word); {
	case lower == "vcpu":
		return "vcpu"
	case lower == "gb":
		return "memory"
	case strings.Contains(lower, "gpu"), strings.Contains(lower, "accelerator"), strings.Contains(lower, "neuron"):
		return "accelerator"
	}
	return word
}

// podOf splits arn:aws:eks:region:account:pod/cluster/namespace/name/uid.
func podOf(arn string) (cluster, namespace, name, uid string) {
	_, path, found := strings.Cut(arn, ":pod/")
	parts := strings.Split(path, "/")
	if !found || len(parts) != 4 {
		return "", "", "", ""
	}
	return parts[0], parts[1], parts[2], parts[3]
}
