package part

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
	"gpuledger/test/tier"
)

var allKinds = []ledger.LineKind{
	ledger.LineUsage, ledger.LineCoveredUsage, ledger.LineNegation,
	ledger.LineCommitmentFee, ledger.LineDiscount, ledger.LineInvoice,
	ledger.LinePrepaid, ledger.LineSplit, ledger.LineOther,
}

// drawFleet invents machines of all providers: alone, in groups, known by name
// only, of types that the catalogue knows or not.
func drawFleet(t *rapid.T) []ledger.Node {
	nodes := make([]ledger.Node, rapid.IntRange(0, 6).Draw(t, "nodes"))
	for i := range nodes {
		n := &nodes[i]
		n.ID, n.GPUs = ledger.ID{byte(i + 1)}, rapid.IntRange(0, 8).Draw(t, "gpus")
		n.Keys = []string{fmt.Sprint("i-", i)}
		if rapid.Bool().Draw(t, "in a set") {
			n.Keys = append(n.Keys, "set")
		}
		if rapid.Bool().Draw(t, "maybe") {
			n.Candidates = []string{"gce/77"}
		}
		n.InstanceType = rapid.SampledFrom([]string{"", "p5.48xlarge", "rack"}).Draw(t, "type")
		n.Account = rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "account")
		n.Region = rapid.SampledFrom([]string{"", "r1", "r2"}).Draw(t, "region")
		n.Life = drawPeriod(t, 1800)
		n.OwnerID = ledger.ID{byte(rapid.IntRange(0, 2).Draw(t, "owner"))}
	}
	return nodes
}

func drawPeriod(t *rapid.T, grid int) period.Interval {
	from := rapid.IntRange(0, 40).Draw(t, "from") * grid
	long := rapid.SampledFrom([]int{0, 1, 1, 2, 48, 1600}).Draw(t, "long") * grid
	return period.Interval{From: t0 + period.Second(from), To: t0 + period.Second(from+long)}
}

func drawAmount(t *rapid.T, name string) *money.Amount {
	if rapid.IntRange(0, 5).Draw(t, name+" carried") == 0 {
		return nil
	}
	return usd(fmt.Sprintf("%de-%d", rapid.Int64Range(-1e15, 1e15).Draw(t, name),
		rapid.IntRange(0, 20).Draw(t, name+" scale")))
}

// drawBill invents lines of every kind and shape, plausible or not.
func drawBill(t *rapid.T) []*ledger.Charge {
	var bill []*ledger.Charge
	word := func(name string, words ...string) string { return rapid.SampledFrom(words).Draw(t, name) }
	for i := range rapid.IntRange(1, 12).Draw(t, "lines") {
		c := &ledger.Charge{
			ID: ledger.ID{byte(i + 1)}, Kind: rapid.SampledFrom(allKinds).Draw(t, "kind"),
			Currency: "USD", BillingPeriod: "2026-11",
			Provider: word("provider", "aws", "gcp", "azure"), BillingAccount: "payer",
			Account: word("account", "a", "b", "payer"), Period: drawPeriod(t, 1800),
			InstanceID:    word("key", "", "", "i-0", "i-1", "set", "gce/77", "i-unknown"),
			InstanceType:  word("type", "", "p5.48xlarge", "rack", "ml.p4d.24xlarge", "m5.large"),
			InstanceHours: rapid.Bool().Draw(t, "instance hours"), BillsGPU: rapid.IntRange(0, 4).Draw(t, "bills GPU") == 0,
			ServiceCode: word("service", "", "EC2", "AmazonEKS"),
			UsageType:   word("usage type", "", "p5"), CommitmentID: word("commitment", "", "c1", "c2"),
			Region: word("region", "", "r1", "r2"), CommitmentCredit: drawAmount(t, "credit"),
			Tags: map[string]string{"team": word("team", "x", "y")},
		}
		if c.ResourceID = c.InstanceID; c.ResourceID == "" {
			c.ResourceID = word("resource", "", "bucket")
		}
		if rapid.IntRange(0, 9).Draw(t, "aggregate") == 0 {
			c.Aggregate = &ledger.Aggregate{Lines: 3}
		}
		if rapid.Bool().Draw(t, "has seconds") {
			s := rapid.Int64Range(0, 1e7).Draw(t, "seconds")
			c.InstanceSeconds = &s
		}
		for _, m := range ledger.Metrics {
			c.Set(m, drawAmount(t, string(m)))
		}
		bill = append(bill, c)
	}
	return bill
}

func everyKey(string) bool { return true }

// cutBill cuts with charges in a given order, each pass in its own.
func cutBill(t *rapid.T, f *Fleet, observe, cut []*ledger.Charge) (map[ledger.ID][]ledger.Part, string) {
	c := New(f, tagOwner)
	for _, ch := range observe {
		c.Observe(ch)
	}
	out := map[ledger.ID][]ledger.Part{}
	for _, ch := range cut {
		parts, err := c.Cut(ch)
		if err != nil {
			t.Fatal(err)
		}
		out[ch.ID] = parts
	}
	digest, err := c.Digest(ledger.ID{}, "others")
	if err != nil {
		t.Fatal(err)
	}
	return out, digest
}

var sameAmount = cmp.Comparer(func(a, b money.Amount) bool { return a.Cmp(b) == 0 })

func TestM02PartsAddUpAndDoNotDependOnOrder(t *testing.T) {
	tier.Check(t, 1000, func(t *rapid.T) {
		nodes, bill := drawFleet(t), drawBill(t)
		f := NewFleet(nodes, everyKey)
		parts, digest := cutBill(t, f, bill, bill)
		for _, ch := range bill {
			addsUp(t, ch, parts[ch.ID])
			wellFormed(t, ch, parts[ch.ID])
		}
		again, digestAgain := cutBill(t, NewFleet(rapid.Permutation(nodes).Draw(t, "nodes"), everyKey),
			rapid.Permutation(bill).Draw(t, "first pass"), rapid.Permutation(bill).Draw(t, "second pass"))
		if diff := cmp.Diff(parts, again, sameAmount); diff != "" {
			t.Fatal(diff)
		}
		if digest != digestAgain {
			t.Fatalf("digests %s and %s", digest, digestAgain)
		}
	})
}

// TestACurrentDeliveryWouldBeCutTheSame: an incremental cut equals a full one.
func TestACurrentDeliveryWouldBeCutTheSame(t *testing.T) {
	current := 0
	tier.Check(t, 1000, func(t *rapid.T) {
		nodes, bill := drawFleet(t), drawBill(t)
		parts, digest := cutBill(t, NewFleet(nodes, everyKey), bill, bill)
		other := slices.Clone(nodes)
		for i := range other {
			switch rapid.IntRange(0, 4).Draw(t, "change") {
			case 0:
				other[i].Life = drawPeriod(t, 1800)
			case 1:
				other[i].Life.To += 600
			case 2:
				other[i].Labels = map[string]string{"l": "1"}
			case 3:
				other[i].GPUs = 0
			}
		}
		f := NewFleet(other, everyKey)
		if !f.Current(digest, "others") {
			return
		}
		current++
		again, _ := cutBill(t, f, bill, bill)
		if diff := cmp.Diff(parts, again, sameAmount); diff != "" {
			t.Fatalf("called current, and cut differently:\n%s", diff)
		}
	})
	if current == 0 {
		t.Error("no draw was current: the property was never looked at")
	}
}

func wellFormed(t *rapid.T, ch *ledger.Charge, parts []ledger.Part) {
	ids := map[ledger.ID]bool{}
	seconds := int64(0)
	for i, p := range parts {
		if p.Number != i || p.ChargeID != ch.ID || p.Hour%3600 != 0 || ids[p.ID] || p.Method == "" || p.Quality == "" ||
			p.Currency != "USD" {
			t.Fatalf("part %+v", p)
		}
		if p.PostingKind != ledger.Direct && (p.PostingKind != ledger.Amortise || ch.Kind != ledger.LinePrepaid) {
			t.Fatalf("posting kind of %+v", p)
		}
		if (p.Kind == ledger.PartCompute && !p.NodeID.IsZero()) != p.OwnerID.IsZero() {
			t.Fatalf("owner of %+v", p)
		}
		if p.UsageSeconds != nil {
			seconds += *p.UsageSeconds
		}
		ids[p.ID] = true
	}
	if seconds != 0 && (ch.InstanceSeconds == nil || seconds != *ch.InstanceSeconds && seconds != ch.Period.Seconds() ||
		seconds > *ch.InstanceSeconds) {
		t.Fatalf("%d of %v seconds are on the parts", seconds, ch.InstanceSeconds)
	}
	if len(parts) == 0 && ch.Kind != ledger.LineSplit {
		t.Fatalf("no part of %s", ch.Kind)
	}
}
