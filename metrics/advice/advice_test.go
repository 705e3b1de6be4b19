package advice

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const gb = 1 << 30

func week() period.Interval {
	return period.Interval{From: 1_793_491_200, To: 1_793_491_200 + 7*period.Day}
}

// always is present in every hour of the week.
func always() Presence { return there(week()) }

func there(i period.Interval) Presence {
	p := Presence{}
	p.Span(i)
	return p
}

func demand() Demand {
	return Demand{There: always(), Days: 7, Subject: Subject{"prod", "ml", "Deployment", "embedder"}, Class: "service",
		Window: week(), Device: "NVIDIA H100 80GB HBM3", GPUModel: "H100",
		InstanceType: "p5.48xlarge", CardMemory: 80 * gb, CardsEach: 1, Hours: 168, MemoryP99: 7 * gb, ActivityP95: 100_000,
		GPUHours: big.NewRat(168, 1), Cost: money.MustParse("700"), Currency: "USD"}
}

func TestTheSmallestSliceThatHoldsTheDemand(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Demand)
		want   string // profile; empty: none
		saving string
	}{
		"one seventh":               {func(*Demand) {}, "1g.10gb", "600"},
		"memory needs the double":   {func(d *Demand) { d.MemoryP99 = 15 * gb }, "1g.20gb", "525"},
		"activity needs two":        {func(d *Demand) { d.ActivityP95 = 200_000 }, "2g.20gb", "500"},
		"half":                      {func(d *Demand) { d.MemoryP99, d.ActivityP95 = 30*gb, 300_000 }, "3g.40gb", "350"},
		"too large for any":         {func(d *Demand) { d.MemoryP99 = 60 * gb }, "", ""},
		"too busy":                  {func(d *Demand) { d.ActivityP95 = 900_000 }, "", ""},
		"no telemetry":              {func(d *Demand) { d.Hours = 23 }, "", ""},
		"several cards each":        {func(d *Demand) { d.CardsEach = 2 }, "", ""},
		"card that cannot be cut":   {func(d *Demand) { d.Device = "NVIDIA L4" }, "", ""},
		"memory unknown":            {func(d *Demand) { d.MemoryP99 = 0 }, "", ""},
		"from a slice, it fits":     {func(d *Demand) { d.Profile = "3g.40gb" }, "1g.10gb", "500"},
		"from a slice, none less":   {func(d *Demand) { d.Profile = "1g.10gb" }, "", ""},
		"a third of half is enough": {func(d *Demand) { d.Profile, d.ActivityP95 = "3g.40gb", 270_000 }, "1g.10gb", "500"},
	} {
		d := demand()
		c.change(&d)
		r, ok := d.ToSlice(DefaultHeadroom)
		switch {
		case ok != (c.want != ""):
			t.Errorf("%s: advised %v: %s", name, ok, r.Proposal)
		case ok && (!strings.Contains(r.Proposal, "Request "+c.want+" ") || r.Saving.String() != c.saving):
			t.Errorf("%s: %s saves %s; want %s, %s", name, r.Proposal, r.Saving, c.want, c.saving)
		}
	}
}

func TestASliceNeverHoldsLessThanWasNeeded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := demand()
		d.MemoryP99, d.ActivityP95 = rapid.Int64Range(1, 80*gb).Draw(t, "memory"),
			rapid.Int64Range(0, million).Draw(t, "activity")
		r, ok := d.ToSlice(DefaultHeadroom)
		if !ok {
			return
		}
		if r.Saving.Sign() <= 0 || r.Saving.Cmp(r.Cost) >= 0 {
			t.Fatalf("saves %s of %s", r.Saving, r.Cost)
		}
		kept := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).Quo(r.Saving.Rat(), r.Cost.Rat()))
		if need := new(big.Rat).SetFrac64(d.MemoryP99, d.CardMemory); kept.Cmp(need) < 0 {
			t.Fatalf("%s keeps %s of the card for %s of its memory", r.Proposal, kept.FloatString(3), need.FloatString(3))
		}
	})
}

func TestASmallerCard(t *testing.T) {
	offers := []Offer{
		{"g6.xlarge", "L4", 24 * gb, money.MustParse("0.8"), "USD"},
		{"g4dn.xlarge", "T4", 16 * gb, money.MustParse("0.526"), "USD"},
		{"g5.xlarge", "A10G", 24 * gb, money.MustParse("1.006"), "USD"},
		{"other maker", "MI300X", 192 * gb, money.MustParse("0.3"), "USD"},
		{"other processor", "GB200", 186 * gb, money.MustParse("0.2"), "USD"},
		{"unknown", "Inferentia2", 32 * gb, money.MustParse("0.1"), "USD"},
	}
	now := Offer{"g6e.xlarge", "L40S", 48 * gb, money.MustParse("1.6"), "USD"}
	d := demand()
	d.Device, d.GPUModel, d.InstanceType, d.CardMemory, d.MemoryP99 = "NVIDIA L40S", "L40S", "g6e.xlarge", 48*gb, 15*gb
	r, ok := d.ToCard(now, offers, DefaultHeadroom)
	if !ok || !strings.Contains(r.Proposal, "L4 (g6.xlarge)") || r.Saving.String() != "350" || r.Confidence != Low {
		t.Errorf("%v %s %s %s", ok, r.Proposal, r.Saving, r.Confidence)
	}
	for name, change := range map[string]func(*Demand){
		"busy":      func(d *Demand) { d.ActivityP95 = 450_000 },
		"a slice":   func(d *Demand) { d.Profile = "1g.10gb" },
		"too large": func(d *Demand) { d.MemoryP99 = 40 * gb },
	} {
		d := d
		change(&d)
		if r, ok := d.ToCard(now, offers, DefaultHeadroom); ok {
			t.Errorf("%s: %s", name, r.Proposal)
		}
	}
	if _, ok := d.ToCard(Offer{Currency: "EUR", PerGPUHour: now.PerGPUHour}, offers, DefaultHeadroom); ok {
		t.Error("prices of two currencies are compared")
	}
}

func TestNotebooksShareCards(t *testing.T) {
	book := func(name string, memory int64, hours int64) Demand {
		d := demand()
		d.Class, d.Device, d.GPUModel, d.CardMemory = "interactive", "NVIDIA L4", "L4", 24*gb
		d.Subject.Name, d.MemoryP99, d.GPUHours, d.Cost = name, memory, big.NewRat(hours, 1), money.MustParse("100")
		return d
	}
	list := OnOneCard([]Demand{book("b", 4*gb, 168), book("a", 5*gb, 168), book("c", 3*gb, 168)}, DefaultHeadroom)
	if len(list) != 1 || list[0].Saving.String() != "200" || !strings.Contains(list[0].Proposal, "into 3") ||
		!strings.Contains(list[0].Proposal, "ml/a") {
		t.Errorf("three notebooks: %+v", list)
	}
	mine, theirs := book("a", 4*gb, 168), book("b", 4*gb, 168)
	mine.OwnerID = ledger.NewID("owner", "ml")
	theirs.OwnerID = mine.OwnerID
	if list := OnOneCard([]Demand{mine, theirs}, DefaultHeadroom); len(list) != 1 || list[0].OwnerID != mine.OwnerID {
		t.Errorf("two notebooks of one owner: %+v", list)
	}
	theirs.OwnerID = ledger.NewID("owner", "speech")
	if list := OnOneCard([]Demand{mine, theirs, mine}, DefaultHeadroom); len(list) != 1 || !list[0].OwnerID.IsZero() {
		t.Errorf("of several owners, and one has it: %+v", list)
	}
	if list := OnOneCard([]Demand{book("a", 4*gb, 168), book("b", 4*gb, 20)}, DefaultHeadroom); len(list) != 0 {
		t.Errorf("seldom two at once: %+v", list)
	}
	if list := OnOneCard([]Demand{book("a", 14*gb, 168), book("b", 4*gb, 168)}, DefaultHeadroom); len(list) != 0 {
		t.Errorf("memory does not fit twice: %+v", list)
	}
}

// Services and workloads with a label for isolation never get advice to share cards: a MIG slice at most.
func TestServicesAndIsolatedWorkNeverShareCards(t *testing.T) {
	d := demand()
	d.Class, d.Device, d.GPUModel, d.CardMemory, d.MemoryP99, d.GPUHours = "interactive", "NVIDIA L4", "L4", 24*gb, 4*gb,
		big.NewRat(168, 1)
	two := []Demand{d, d, d}
	if list := OnOneCard(two, DefaultHeadroom); len(list) != 1 || !strings.Contains(list[0].Proposal, "into 3") {
		t.Fatalf("three notebooks: %+v", list)
	}
	two[1].Isolated = true
	if list := OnOneCard(two, DefaultHeadroom); len(list) != 1 || !strings.Contains(list[0].Proposal, "into 2") {
		t.Errorf("one of them is isolated: %+v", list)
	}
	two[2].Class = "service"
	if list := OnOneCard(two, DefaultHeadroom); len(list) != 0 {
		t.Errorf("one of them is a service: %+v", list)
	}
	alone := demand()
	alone.Isolated = true
	if r, ok := alone.ToSlice(DefaultHeadroom); !ok || !strings.Contains(r.Proposal, "1g.10gb") {
		t.Errorf("a slice keeps it apart: %v, %s", ok, r.Proposal)
	}
	for label, want := range map[[2]string]bool{
		{"gpuledger.io/isolation", "strict"}: true, {"label_tenant_Isolation", "true"}: true, {"isolation", "none"}: false,
		{"isolation", "False"}: false, {"isolation-zone", "a"}: false, {"isolation", ""}: false,
	} {
		if Isolated(label[0], label[1]) != want {
			t.Errorf("%v: %v", label, !want)
		}
	}
}

func TestFindingsBecomeOneRecommendationPerSubject(t *testing.T) {
	f := func(kind, name, cost string, open bool) Finding {
		return Finding{
			Kind: kind, Subject: Subject{"prod", "ml", "Notebook", name}, Cost: money.MustParse(cost),
			Currency: "USD", Open: open, State: ledger.Open, Quality: ledger.Measured, There: always(),
		}
	}
	list := FromFindings([]Finding{
		f("forgotten_notebook", "a", "10", false), f("forgotten_notebook", "a", "5.5", false), f("hoarding", "a", "1", false),
		f("forgotten_notebook", "once", "10", false), f("crashed_job", "goes on", "3", true),
		f("no_checkpoint", "run", "40", true), f("free_capacity", "x", "9", true),
	}, week())
	got := map[string]string{}
	for _, r := range list {
		got[r.Kind+" "+r.Subject.Name] = r.Saving.String()
	}
	want := map[string]string{"stop_idle a": "16.5", "stop_idle goes on": "3", "add_checkpoints run": "0"}
	if len(got) != len(want) {
		t.Errorf("%v; want %v", got, want)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s saves %q; want %s", k, got[k], v)
		}
	}
}

// Risks are advised if one is open, or came twice, and never add to savings, whatever they cost.
func TestRisksAreAdvisedAndSaveNothing(t *testing.T) {
	for kind, want := range map[string]string{"no_checkpoint": AddCheckpoints, "checkpoint_interval": AddCheckpoints,
		"not_restartable":    AllowRetries,
		"untainted_gpu_node": TaintNodes, "mixed_on_shared_card": SeparateWork, "no_product_selector": SelectModel} {
		one := Finding{
			Kind: kind, Subject: Subject{"prod", "ml", "Job", "a"}, GPUModel: "H100", Cost: money.MustParse("40"),
			Currency: "USD", State: ledger.Open, Quality: ledger.Estimated, There: always(),
		}
		if list := FromFindings([]Finding{one}, week()); len(list) != 0 {
			t.Errorf("%s: once and over, and advised: %+v", kind, list)
		}
		list := FromFindings([]Finding{one, one}, week())
		if len(list) != 1 || list[0].Kind != want || list[0].Cost.String() != "80" || list[0].Saving.Sign() != 0 ||
			list[0].Confidence != Medium {
			t.Errorf("%s: %+v, want %s of 80 that saves nothing", kind, list, want)
			continue
		}
		ClaimOf(list, []Holder{{Subject: one.Subject, GPUModel: "H100"}})
		if len(list[0].Claims) != 0 {
			t.Errorf("%s claims %v", kind, list[0].Claims)
		}
	}
}

func TestMoneyPerMonth(t *testing.T) {
	r := Recommendation{Window: week(), Life: always().In(week()), Saving: money.MustParse("16.8"), Currency: "USD"}
	if got := r.PerMonth().String(); got != "73" {
		t.Errorf("a week's 16.80 are %s a month; want 73", got)
	}
	for name, change := range map[string]func(*Recommendation){
		"a window below 7 days": func(r *Recommendation) { r.Window.To -= period.Hour },
		"a subject of two days": func(r *Recommendation) { r.Life.Days = 2 },
		"a subject never seen":  func(r *Recommendation) { r.Life = Life{} },
		"without a price":       func(r *Recommendation) { r.Currency = "" },
	} {
		r := r
		if change(&r); r.PerMonth() != nil {
			t.Errorf("%s is scaled to a month", name)
		}
	}
	for _, k := range Kinds {
		if _, ok := LookupKind(k.Name); !ok || k.Doc == "" || k.Danger == "" {
			t.Errorf("kind %q is not explained", k.Name)
		}
	}
}

func TestLayouts(t *testing.T) {
	c := Cards{
		Cluster: "prod", GPUModel: "A100", Window: week(), Used: 4, Fewest: 3,
		Cut: map[string]int{"3g.20gb 3g.20gb": 1, "1g.5gb 1g.5gb 1g.5gb 4g.20gb": 2}, Exact: true,
		Days: []CardDay{
			{week().From, 4, money.MustParse("300")}, {week().From + period.Day, 1, money.MustParse("50")},
			{week().From + 2*period.Day, 2, money.MustParse("50")},
		}, Currency: "USD",
	}
	if r, ok := c.ToLayout(); !ok || r.Cost.String() != "400" || r.Saving.String() != "100" {
		t.Errorf("%v %s", ok, r.Saving)
	} else if want := "Repartition 2 cards into 3 × 1g.5gb + 4g.20gb, 1 card into 2 × 3g.20gb; 1 of 4 cards become " +
		"free."; r.Proposal != want {
		t.Errorf("%q, want %q", r.Proposal, want)
	}
	c.Fewest = 4
	if _, ok := c.ToLayout(); ok {
		t.Error("advised though no card becomes free")
	}
}

// A workload on two kinds of slices gets only the advice that saves most.
func TestOneSizePerWorkload(t *testing.T) {
	r := func(kind, saving string) Recommendation {
		return Recommendation{
			Kind: kind, Subject: Subject{"prod", "ml", "Deployment", "chat"},
			GPUModel: "A100 40GB", Currency: "USD", Saving: money.MustParse(saving),
		}
	}
	list := []Recommendation{r(SmallerSlice, "3"), r(StopIdle, "1"), r(SmallerSlice, "8")}
	Sort(list)
	list = Distinct(list)
	if len(list) != 2 || list[0].Saving.String() != "8" || list[1].Kind != StopIdle {
		t.Errorf("%+v", list)
	}
}

// A thousand cards on one day count as one day.
func TestConfidenceCountsDays(t *testing.T) {
	for days, want := range map[int64]Confidence{1: Low, 2: Low, 3: Medium, 13: Medium, 14: High, 28: High} {
		d := demand()
		d.Hours, d.Days, d.MemoryP99 = 100_000, days, 5*gb
		d.Window = period.Interval{From: week().From, To: week().From + period.Second(days)*period.Day}
		d.There = there(d.Window)
		if r, ok := d.ToSlice(DefaultHeadroom); !ok || r.Confidence != want {
			t.Errorf("%d days: %v, %s; want %s", days, ok, r.Confidence, want)
		}
		window := period.Interval{From: week().From, To: week().From + period.Second(days)*period.Day}
		for quality, most := range map[ledger.Quality]Confidence{ledger.Measured: High, ledger.Estimated: Medium} {
			list := FromFindings([]Finding{{Kind: "hoarding", Open: true, Quality: quality, There: there(window)}}, window)
			if len(list) != 1 || list[0].Confidence != want.atMost(most) || list[0].Life.Days != days {
				t.Errorf("%d days, %s: %+v", days, quality, list)
			}
		}
	}
}
