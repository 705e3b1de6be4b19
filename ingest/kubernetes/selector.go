package kubernetes

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"gpuledger/internal/ledger"
)

// selectors emits the labels by which a pod selects its machine, if it can hold a GPU: those of
// its node selector, and those that every alternative of its node affinity requires.
// Preferences do not count.
func (c *Converter) selectors(t *ledger.Telemetry, f *ledger.WorkloadFact, p *corev1.Pod, seenMS int64) {
	if len(requestsOf(&p.Spec)) == 0 && len(p.Spec.ResourceClaims) == 0 && !sharesCards(p) {
		return
	}
	keys := map[string]bool{}
	for key := range p.Spec.NodeSelector {
		keys[sanitised(key)] = true
	}
	if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil &&
		a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		maps.Copy(keys, required(a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms))
	}
	if len(p.Spec.ResourceClaims) > 0 {
		keys[ledger.PicksByClaim] = true
	}
	t.Objects = append(t.Objects, ledger.ObjectFact{
		Cluster: c.cluster, Kind: ledger.KindPodSelectors, Namespace: p.Namespace, Name: f.UID,
		Attrs:   map[string]string{ledger.PicksByAll: strings.Join(slices.Sorted(maps.Keys(keys)), " ")},
		AttrsAt: ledger.AttrsOrder(ledger.FromAPI, seenMS),
	})
}

// required are the labels whose values all alternatives restrict. A term that requires only a
// label's existence restricts no value.
func required(terms []corev1.NodeSelectorTerm) map[string]bool {
	count := map[string]int{}
	for _, term := range terms {
		of := map[string]bool{}
		for _, e := range term.MatchExpressions {
			if e.Operator != corev1.NodeSelectorOpExists && e.Operator != corev1.NodeSelectorOpDoesNotExist {
				of[sanitised(e.Key)] = true
			}
		}
		if len(term.MatchFields) > 0 { // by the machine's name, as a DaemonSet does
			of[sanitised(corev1.LabelHostname)] = true
		}
		for key := range of {
			count[key]++
		}
	}
	keys := map[string]bool{}
	for key, n := range count {
		if n == len(terms) {
			keys[key] = true
		}
	}
	return keys
}
