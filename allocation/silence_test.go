package allocation

import (
	"testing"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// hears sets the minutes in which a source of the cluster delivered, and no others of its kind.
func (s *story) hears(kind ledger.SourceKind, from, to string) {
	kept := s.day.Sources[:0]
	for _, h := range s.day.Sources {
		if h.Source != kind {
			kept = append(kept, h)
		}
	}
	s.day.Sources = kept
	for m := at(from); m < at(to); m += period.Minute {
		s.day.Sources = append(s.day.Sources, ledger.SourceHour{
			Cluster: "c", Source: kind, Hour: m.Floor(period.Hour), Minutes: 1 << ((m - m.Floor(period.Hour)) / period.Minute),
		})
	}
}

// silent removes the node from its cluster's lists.
func (s *story) silent(from, to string) {
	for i := range s.day.NodeStates {
		h := &s.day.NodeStates[i]
		for m := range period.Second(60) {
			if minute := h.Hour + m*period.Minute; h.State == ledger.Listed && minute >= at(from) && minute < at(to) {
				h.Minutes &^= 1 << m
			}
		}
	}
}

// Billed before it appeared: booting if others of its cluster reported, unobserved if no other did. The machine's own
// report in the minute in which it appeared does not count.
func TestBilledBeforeItAppeared(t *testing.T) {
	for name, c := range map[string]struct{ appeared, from, want string }{
		"others reported all night": {"10:30", "0:00", `
			free - 1/2 h $18
			unavailable - 1/2 h $18`},
		"telemetry began with it": {"10:30:10", "10:30", `
			free - 179/360 h $17.9
			unobserved - 181/360 h $18.1`},
		"telemetry began ten minutes before": {"10:30:10", "10:20", `
			free - 179/360 h $17.9
			unavailable - 61/360 h $6.1
			unobserved - 1/3 h $12`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStory(t, 1)
			s.node.Node.Life.From = at(c.appeared)
			s.hears(ledger.SourceKubernetes, c.from, "24:00")
			s.bill("10:00", 3600, "36")
			expect(t, account(s.allocate(), "10:00"), c.want)
		})
	}
}

// Billed after its last report: only the other machines' reports show whether it was there.
func TestBilledAfterItsLastReport(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life.To = at("10:00")
	s.hears(ledger.SourceKubernetes, "0:00", "11:15")
	for _, hour := range []string{"10:00", "11:00", "12:00"} {
		s.bill(hour, 3600, "4")
	}
	c := s.allocate()
	expect(t, account(c, "10:00"), `unavailable - 1 h $4`)
	expect(t, account(c, "11:00"), `
		unavailable - 1/4 h $1
		unobserved - 3/4 h $3`)
	expect(t, account(c, "12:00"), `unobserved - 1 h $4`)
}

// An event that reports its end is enough without other machines.
func TestBilledAfterTheEventOfItsEnd(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life.To, s.node.Node.Seen = at("10:30"), s.node.Node.Seen|ledger.SeenEnd
	s.hears(ledger.SourceKubernetes, "0:00", "10:30")
	s.bill("10:00", 3600, "4")
	expect(t, account(s.allocate(), "10:00"), `
		free - 1/2 h $2
		unavailable - 1/2 h $2`)
}

// A machine that only its exporter reports: kube-state-metrics of others is not a witness, exporters of others are.
func TestWitnessesReportByWhatTheMachineReportsBy(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life.To, s.node.Node.InSource, s.node.Node.Seen = at("10:00"), false, ledger.SeenSampled
	s.hears(ledger.SourceExporter, "0:00", "11:00")
	s.bill("10:00", 3600, "4")
	s.bill("11:00", 3600, "4")
	c := s.allocate()
	expect(t, account(c, "10:00"), `unavailable - 1 h $4`)
	expect(t, account(c, "11:00"), `unobserved - 1 h $4`)
}

// A gap in the middle of its life: unavailable while others report, free while
// it is only a late scrape, unobserved while the whole cluster is silent.
func TestSilentInTheMiddle(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Seen = ledger.SeenListed
	s.silent("10:00", "10:30")
	s.silent("11:00", "11:09")
	s.silent("12:00", "13:00")
	for i := range s.day.Sources {
		if s.day.Sources[i].Hour == at("12:00") {
			s.day.Sources[i].Minutes = 0
		}
	}
	for _, hour := range []string{"10:00", "11:00", "12:00"} {
		s.bill(hour, 3600, "4")
	}
	c := s.allocate()
	expect(t, account(c, "10:00"), `
		free - 1/2 h $2
		unavailable - 1/2 h $2`)
	expect(t, account(c, "11:00"), `free - 1 h $4`)
	expect(t, account(c, "12:00"), `unobserved - 1 h $4`)
}

// While its exporter reports, a machine that its cluster does not list is not
// silent.
func TestNotSilentWhileItsExporterReports(t *testing.T) {
	s := newStory(t, 1)
	s.silent("10:00", "11:00")
	s.busy(0, "10:00", "11:00", 0)
	s.bill("10:00", 3600, "4")
	expect(t, account(s.allocate(), "10:00"), `free - 1 h $4`)
}

// Accounting names a machine only while it works: in its window the machine is free before its first job, between jobs
// and after its last one; outside it the state is unknown.
func TestNamedByJobsOnly(t *testing.T) {
	s := newStory(t, 1)
	s.node.Node.Life, s.node.Node.Seen = between("2:00", "10:00"), ledger.SeenNamed
	s.hears(ledger.SourceKubernetes, "0:00", "24:00") // of machines that Kubernetes runs
	s.hears(ledger.SourceSlurm, "1:30", "11:30")
	for _, hour := range []string{"1:00", "5:00", "11:00", "12:00"} {
		s.bill(hour, 3600, "4")
	}
	c := s.allocate()
	half := `
		free - 1/2 h $2
		unobserved - 1/2 h $2`
	expect(t, account(c, "1:00"), half)
	expect(t, account(c, "5:00"), `free - 1 h $4`)
	expect(t, account(c, "11:00"), half)
	expect(t, account(c, "12:00"), `unobserved - 1 h $4`)
}

// Seconds that do not fit into the hour are unobserved.
func TestMoreBilledThanAnHourHas(t *testing.T) {
	s := newStory(t, 1)
	s.bill("10:00", 7200, "4")
	expect(t, account(s.allocate(), "10:00"), `
		free - 1 h $2
		unobserved - 1 h $2`)
}

// Surplus seconds of an hour lie before the machine appeared, closest first,
// then after it was gone, never outside the hour.
func TestSurplusLiesAroundTheLife(t *testing.T) {
	hour := period.Interval{From: 36_000, To: 39_600}
	d := &day{NodeEngine: &NodeEngine{}, life: period.Interval{From: 37_800, To: 39_000}}
	for seconds, want := range map[int64][]period.Interval{
		600:  {{From: 37_200, To: 37_800}},
		2100: {{From: 36_000, To: 37_800}, {From: 39_000, To: 39_300}},
		2400: {{From: 36_000, To: 37_800}, {From: 39_000, To: 39_600}},
	} {
		got := d.outsideLife(nil, hour, seconds)
		for i := range got {
			if len(got) != len(want) || got[i].Interval != want[i] || got[i].seconds != want[i].Seconds() {
				t.Fatalf("%d seconds: %v, want %v", seconds, got, want)
			}
		}
	}
	if got := d.outsideLife(nil, period.Interval{From: 32_400, To: 36_000}, 60); len(got) != 1 || got[0].From != 35_940 {
		t.Errorf("of the hour before its life the end counts: %v", got)
	}
}
