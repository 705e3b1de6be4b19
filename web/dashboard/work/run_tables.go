package work

import (
	"math/big"
	"sort"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/metrics/timeline"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

var (
	nodeHeads    = views.Heads("Node: key.node", "Price class: key.pricing", "Type, zone: key.instance_type wide-only")
	allSlotHours = views.Heads("#All slot-hours: figure.slot_hours")
)

func countAmount(n int64) money.Amount { return money.Amount{}.Add(money.FromBigUnits(units(n))) }

func units(n int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), big.NewInt(money.UnitsPerOne))
}

// spansTable is the time line as a table: slot-hours by node and cause.
func spansTable(p *page.Context, line timeline.Run) views.Table {
	t := views.Table{Caption: "Slot-hours by node and cause", Heads: nodeHeads}
	seconds := map[ledger.ID]map[ledger.Cause]int64{}
	all := map[ledger.Cause]int64{}
	for _, s := range line.Spans {
		if seconds[s.NodeID] == nil {
			seconds[s.NodeID] = map[ledger.Cause]int64{}
		}
		seconds[s.NodeID][s.Cause] += s.Seconds()
		all[s.Cause] += s.Seconds()
	}
	var causes []ledger.CauseInfo
	for _, info := range ledger.Causes {
		if all[info.Cause] > 0 {
			causes = append(causes, info)
			t.Heads = append(t.Heads, views.CauseHead(info))
		}
	}
	t.Heads = append(t.Heads, allSlotHours...)
	cells := func(by map[ledger.Cause]int64) []views.Cell {
		var out []views.Cell
		var sum int64
		for _, info := range causes {
			sum += by[info.Cause]
			out = append(out, views.Cell{Figure: slotHours(by[info.Cause])})
		}
		return append(out, views.Cell{Figure: slotHours(sum)})
	}
	nodes := append([]timeline.Node(nil), line.Nodes...)
	sort.SliceStable(nodes, func(i, j int) bool { return nodes[i].PriceClass < nodes[j].PriceClass })
	for _, n := range nodes {
		kind := n.InstanceType
		if n.Zone != "" {
			kind += ", " + n.Zone
		}
		row := []views.Cell{
			{Figure: views.Figure{Text: nodeName(n)}, Mono: true},
			views.Text(page.PriceClassName(string(n.PriceClass))), views.Text(kind),
		}
		t.Rows = append(t.Rows, views.Row{Cells: append(row, cells(seconds[n.ID])...)})
	}
	t.Total = append([]views.Cell{views.Text("All nodes"), {}, {}}, cells(all)...)
	return t
}

func slotHours(seconds int64) views.Figure {
	a := countAmount(seconds).MulRat(big.NewRat(1, 3600))
	return views.Figure{Text: format.GPUHours(a), Title: format.Count(seconds) + " slot-seconds", Zero: seconds == 0}
}
