package gcpbilling

import (
	"path/filepath"
	"testing"

	"gpuledger/internal/billtest"
	"gpuledger/internal/blob"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
)

// The simulator's export reads back: one delivery per day of export, machines
// by their ids, and the time of each core row once.
func TestSimulatedExport(t *testing.T) {
	c := fleetsim.Preset(fleetsim.Small).Everywhere()
	c.Days = 2
	fleet, err := fleetsim.New(c)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := fleet.WriteTo(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []blob.File
	for _, name := range m.GCP {
		files = append(files, billtest.List(t, filepath.Join(dir, name))...)
	}
	r, err := read(t, files)
	if err != nil {
		t.Fatal(err)
	}
	if r.Tally.RejectedRows() > 0 {
		t.Fatalf("%+v", r.Tally.First)
	}
	r.Check(t)
	if len(r.Deliveries) != len(m.GCP) {
		t.Errorf("%d deliveries of %d files", len(r.Deliveries), len(m.GCP))
	}
	kinds := map[ledger.LineKind]int{}
	timed, machines, planes := 0, map[string]bool{}, 0
	for _, charges := range r.Charges {
		for i := range charges {
			c := &charges[i]
			kinds[c.Kind]++
			if c.InstanceSeconds != nil {
				timed++
			}
			if c.BillsGPU && c.InstanceHours {
				machines[c.InstanceID] = true
			}
			if ledger.ControlPlane(c) {
				planes++
			}
		}
	}
	if timed == 0 || len(machines) == 0 || planes == 0 || kinds[ledger.LinePrepaid] == 0 || kinds[ledger.LineCoveredUsage] == 0 || kinds[ledger.LineInvoice] == 0 || kinds[ledger.LineDiscount] == 0 {
		t.Errorf("kinds %v, %d rows with time, %d machines, %d control planes", kinds, timed, len(machines), planes)
	}
	t.Logf("kinds %v, %d rows with time, %d machines, noted %v", kinds, timed, len(machines), r.Tally.Noted)
}
