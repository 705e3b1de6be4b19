package part

import (
	"slices"
	"strings"

	"gpuledger/internal/ledger"
)

// ofCluster finds the machines that a line bills by the name of their cluster (rule 8.5). A cluster also has machines
// without GPUs, disks and networks: only instance hours that name GPUs, a card or the type of one of the machines
// count.
func (f *Fleet) ofCluster(ch *ledger.Charge) machines {
	if !ch.InstanceHours {
		return machines{}
	}
	for _, name := range []string{ch.InstanceID, ch.InstanceAlias} {
		if fit := meant(f.billed[name], ch); len(fit) > 0 {
			return machines{nodes: fit, pool: true}
		}
	}
	return machines{}
}

// meant are the machines of a cluster that a line can bill: those of the type that it names; else, for a line of GPUs,
// those whose type, card and account do not differ from the line's as far as both sides know them.
func meant(nodes []*ledger.Node, ch *ledger.Charge) []*ledger.Node {
	types := map[string]bool{strings.ToLower(ch.InstanceType): ch.InstanceType != ""}
	for word := range strings.FieldsSeq(strings.ToLower(ch.Description)) {
		types[strings.Trim(word, ",.;:()")] = true
	}
	cards := ledger.Cards(ch.Description)
	gpus := ch.BillsGPU || len(cards) > 0
	var typed, fit []*ledger.Node
	for _, n := range nodes {
		if n.Account != "" && ch.Account != "" && !strings.EqualFold(n.Account, ch.Account) {
			continue
		}
		switch {
		case n.InstanceType != "" && types[strings.ToLower(n.InstanceType)]:
			typed = append(typed, n)
		case gpus && (n.InstanceType == "" || ch.InstanceType == "") && agreeOnCard(ledger.Cards(n.GPUModel), cards):
			fit = append(fit, n)
		}
	}
	if len(typed) > 0 {
		return typed
	}
	return fit
}

// agreeOnCard reports whether a machine's cards may be those in a line.
func agreeOnCard(machine, billed []string) bool {
	return len(machine) == 0 || len(billed) == 0 ||
		slices.ContainsFunc(machine, func(card string) bool { return slices.Contains(billed, card) })
}
