package gcpbilling

import (
	"math/big"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"gpuledger/internal/blob"
	"gpuledger/internal/fleetsim"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/test/billtest"
	"gpuledger/test/truth"
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
	if timed == 0 || len(machines) == 0 || planes == 0 || kinds[ledger.LinePrepaid] == 0 ||
		kinds[ledger.LineCoveredUsage] == 0 || kinds[ledger.LineInvoice] == 0 || kinds[ledger.LineDiscount] == 0 {
		t.Errorf("kinds %v, %d rows with time, %d machines, %d control planes", kinds, timed, len(machines), planes)
	}
	compareWithTruth(t, truth.Of(fleet), r)
	t.Logf("kinds %v, %d rows with time, %d machines, noted %v", kinds, timed, len(machines), r.Tally.Noted)
}

// compareWithTruth compares each row's amounts, and its kind in the ledger, with the posting of
// the simulator, which implements the rules separately.
func compareWithTruth(t *testing.T, oracle *truth.Ledger, r *billtest.Result) {
	t.Helper()
	type line struct {
		file string
		line int64
	}
	type posted struct {
		amounts [4]*big.Rat
		parts   map[string]bool
		hours   int
	}
	want := map[line]*posted{}
	for i := range oracle.Postings {
		p := &oracle.Postings[i]
		if !strings.HasPrefix(p.File, "export-") || p.Kind == "amortise" {
			continue
		}
		at := line{p.File, p.Line}
		if want[at] == nil {
			want[at] = &posted{parts: map[string]bool{}}
		}
		want[at].parts[p.Part] = true
		if p.CapacityGPUHours != nil {
			want[at].hours++
		}
		for k, a := range []*big.Rat{p.Billed, p.Effective, p.List, p.Contracted} {
			if a == nil {
				continue
			}
			if want[at].amounts[k] == nil {
				want[at].amounts[k] = new(big.Rat)
			}
			want[at].amounts[k].Add(want[at].amounts[k], a)
		}
	}
	n := 0
	for _, charges := range r.Charges {
		for i := range charges {
			c := &charges[i]
			w := want[line{path.Base(c.SourceFile), c.Line}]
			if w == nil {
				t.Fatalf("%s line %d is not in the truth", c.SourceFile, c.Line)
			}
			n++
			for k, a := range []*money.Amount{c.Billed, c.Effective, c.List, c.Contracted} {
				if (a == nil) != (w.amounts[k] == nil) || a != nil && a.Rat().Cmp(w.amounts[k]) != 0 {
					t.Fatalf("%s line %d, %s: amount %d is %v, want %v", c.SourceFile, c.Line, c.Description, k, text(a), w.amounts[k])
				}
			}
			if w.parts["compute"] && !c.InstanceHours || (w.hours > 0) && c.InstanceSeconds == nil {
				t.Fatalf("%s line %d, %s: instance hours %v, seconds %v, parts %v with %d quantities", c.SourceFile, c.Line,
					c.Description, c.InstanceHours, c.InstanceSeconds, w.parts, w.hours)
			}
			if (w.parts["commitment_fee"] || w.parts["commitment_unused"]) != (c.Kind == ledger.LinePrepaid ||
				c.Kind == ledger.LineCommitmentFee) {
				t.Fatalf("%s line %d, %s: %s, parts %v", c.SourceFile, c.Line, c.Description, c.Kind, w.parts)
			}
		}
	}
	if n != len(want) {
		t.Errorf("%d rows of %d", n, len(want))
	}
}
