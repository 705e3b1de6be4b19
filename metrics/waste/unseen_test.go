package waste

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// unseenDay is a day of one card: free until hour free, then unobserved.
func unseenDay(k, free period.Second) *NodeDay {
	day := monday + k*period.Day
	n := &NodeDay{
		Node: Node{
			ID: ledger.NewID("node", "n"), Cluster: "c", Name: "n", InstanceType: "t", Appeared: true, GPUs: 1, Replicas: 1,
		}, Day: day,
	}
	for h := range period.Second(24) {
		cause := ledger.Free
		if h >= free {
			cause = ledger.Unobserved
		}
		n.Rows = append(n.Rows, Row{Hour: day + h*period.Hour, Cause: cause, Capacity: money.MustParse("1")})
	}
	if free > 0 {
		n.Spans = append(n.Spans, Span{Cause: ledger.Free, From: day, To: day + free*period.Hour})
	}
	if free < 24 {
		n.Spans = append(n.Spans, Span{Cause: ledger.Unobserved, From: day + free*period.Hour, To: day + period.Day})
	}
	return n
}

func machineOf(t *testing.T, n *NodeDay) *Trace {
	t.Helper()
	var d Day
	d.Day = n.Day
	d.Add(n)
	for _, trace := range d.Traces() {
		if trace.Machine != nil {
			return trace
		}
	}
	t.Fatal("no trace of the machine")
	return nil
}

// Free for three hours and then unobserved: a pool's finding ends with its telemetry and is a share of the observed
// time; unobserved hours do not make a machine orphaned.
func TestUnobservedHoursCountNowhere(t *testing.T) {
	trace := machineOf(t, unseenDay(0, 3))
	pool := Pool{Day: monday, Machines: []*MachineDay{trace.Machine}}
	f, ok := pool.Judge(monday + period.Day)
	if !ok || f.From != monday || f.To != monday+3*period.Hour || f.Evidence[0].Value != 1_000_000 ||
		f.Share.GPUHours.String() != "3" {
		t.Errorf("%v %+v", ok, f)
	}
	if found := Judge(trace.Key, []*Trace{trace}, monday+period.Day); len(found) != 0 {
		t.Errorf("orphaned: %+v", found)
	}
	if _, ok := (&Pool{
		Day: monday, Machines: []*MachineDay{machineOf(t, unseenDay(0, 0)).Machine},
	}).Judge(monday + period.Day); ok {
		t.Error("free capacity of a day that nobody observed")
	}
	// A whole free day, and a second one that ends after six hours: 30 hours.
	days := []*Trace{machineOf(t, unseenDay(0, 24)), machineOf(t, unseenDay(1, 6))}
	found := Judge(days[0].Key, days, monday+2*period.Day)
	if len(found) != 1 || found[0].From != monday || found[0].To != monday+30*period.Hour ||
		found[0].Met != 30*int64(period.Hour) || found[0].Share.GPUHours.String() != "30" {
		t.Fatalf("%+v", found)
	}
	// Time in the orphaned machine's finding is not in the pool's, including the last day, whose end was not observed.
	pool = Pool{Day: monday + period.Day, Machines: []*MachineDay{days[1].Machine},
		Orphaned: map[ledger.ID][]period.Interval{ledger.NewID("node", "n"): {{From: found[0].From, To: found[0].To}}}}
	if f, ok := pool.Judge(monday + 2*period.Day); ok {
		t.Errorf("counted twice: %+v", f)
	}
}
