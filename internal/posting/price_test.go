package posting

import (
	"testing"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const day0 = period.Second(1793577600) // 2026-11-02

func rate(id byte, region string, class ledger.PriceClass, hourly string, from, to period.Second) ledger.Rate {
	return ledger.Rate{
		ID: ledger.ID{id}, InstanceType: "p5.48xlarge", Region: region, PriceClass: class, Currency: "USD",
		Hourly: money.MustParse(hourly), Valid: period.Interval{From: from, To: to},
	}
}

func TestRatesForHoursWithoutABill(t *testing.T) {
	const always = endOfTime
	yesterday, tomorrow := day0-period.Day, day0+period.Day
	node := ledger.Node{InstanceType: "p5.48xlarge", Region: "us-east-1", PriceClass: ledger.Spot}
	billed := []ledger.Rate{rate(9, "us-east-1", ledger.Spot, "20", 0, always)}
	for _, c := range []struct {
		name       string
		book       []ledger.Rate
		rate, list byte // first byte of the id; 0: none
	}{
		{"the bill when the book is silent", nil, 9, 0},
		{"the book before the bill", []ledger.Rate{rate(1, "", ledger.Spot, "1", 0, always)}, 1, 0},
		{
			"region before any region",
			[]ledger.Rate{rate(1, "", ledger.Spot, "1", 0, always), rate(2, "us-east-1", ledger.Spot, "1", 0, always)}, 2, 0,
		},
		{"another region", []ledger.Rate{rate(1, "eu-west-1", ledger.Spot, "1", 0, always)}, 9, 0},
		{"another class", []ledger.Rate{rate(1, "", ledger.OnDemand, "1", 0, always)}, 9, 1},
		{
			"not valid any more, not yet",
			[]ledger.Rate{rate(1, "", ledger.Spot, "1", 0, day0), rate(2, "", ledger.Spot, "1", tomorrow, always)}, 9, 0,
		},
		{
			"valid when the day begins before from noon on",
			[]ledger.Rate{rate(1, "", ledger.Spot, "1", day0+12*3600, always), rate(2, "", ledger.Spot, "1", 0, day0+12*3600)},
			2, 0,
		},
		{
			"the newer of two", []ledger.Rate{
				rate(1, "", ledger.Spot, "1", 0, always), rate(2, "", ledger.Spot, "1", yesterday, always),
			}, 2, 0,
		},
		{
			"the smaller id of equals",
			[]ledger.Rate{rate(2, "", ledger.Spot, "1", 0, always), rate(1, "", ledger.Spot, "1", 0, always)}, 1, 0,
		},
	} {
		got, list := prices{book: c.book, billed: billed}.rates(&node, period.DayOf(day0), policy.LeaveUnknown)
		if id(got) != c.rate || id(list) != c.list {
			t.Errorf("%s: rate %d, list %d", c.name, id(got), id(list))
		}
	}
	if got, list := (prices{}).rates(&node, period.DayOf(day0), policy.LeaveUnknown); got != nil || list != nil {
		t.Error("without any rate there is none")
	}
}

func id(r *ledger.Rate) byte {
	if r == nil {
		return 0
	}
	return r.ID[0]
}

func TestListPriceOfAnotherCurrencyIsNoListPrice(t *testing.T) {
	node := ledger.Node{InstanceType: "p5.48xlarge", PriceClass: ledger.Spot}
	foreign := rate(1, "", ledger.OnDemand, "1", 0, endOfTime)
	foreign.Currency = "EUR"
	got, list := prices{
		book: []ledger.Rate{foreign, rate(2, "", ledger.Spot, "1", 0, endOfTime)},
	}.rates(&node, period.DayOf(day0), policy.LeaveUnknown)
	if id(got) != 2 || list != nil {
		t.Errorf("%v %v", got, list)
	}
}

func TestLastRatesOnTheBill(t *testing.T) {
	amount := func(s string) *money.Amount { a := money.MustParse(s); return &a }
	line := func(instance string, until period.Second, effective, usage *money.Amount) BilledInstance {
		return BilledInstance{
			InstanceID: instance, InstanceType: "p5.48xlarge", Region: "r", PriceClass: ledger.Spot, Currency: "USD",
			Period: period.Interval{To: until}, Effective: effective, UsageAmount: usage,
		}
	}
	got := lastRates([]BilledInstance{
		line("i-1", day0, amount("9"), amount("1")),
		line("i-2", day0+3600, amount("10"), amount("0.75")),
		line("i-3", day0+7200, nil, amount("1")),
		line("i-4", day0+7200, amount("1"), amount("0")),
	})
	if len(got) != 1 || got[0].Hourly.String() != "13.333333333333" || got[0].ID.IsZero() || got[0].Source == "" {
		t.Errorf("%+v", got)
	}
}

func TestLastRatesAreOfTheAccountFirst(t *testing.T) {
	own := map[string][]ledger.Rate{"research": {rate(1, "", ledger.OnDemand, "0.7", 0, endOfTime)}}
	p := prices{own: own, billed: []ledger.Rate{rate(2, "", ledger.OnDemand, "1", 0, endOfTime)}}
	for account, want := range map[string]byte{"research": 1, "serving": 2, "": 2} {
		node := ledger.Node{InstanceType: "p5.48xlarge", PriceClass: ledger.OnDemand, Account: account}
		if got, _ := p.rates(&node, period.DayOf(day0), policy.LeaveUnknown); got == nil || id(got) != want {
			t.Errorf("account %q has rate %v, want %d", account, got, want)
		}
	}
	p.book = []ledger.Rate{rate(3, "", ledger.OnDemand, "2", 0, endOfTime)}
	node := ledger.Node{InstanceType: "p5.48xlarge", PriceClass: ledger.OnDemand, Account: "research"}
	if got, _ := p.rates(&node, period.DayOf(day0), policy.LeaveUnknown); id(got) != 3 {
		t.Errorf("the price book does not go first: %v", got)
	}
}

func TestFindingsKeepTheSmallestDetails(t *testing.T) {
	for _, order := range [][]string{{"a", "b", "c", "d", "e", "f", "f"}, {"f", "e", "d", "f", "c", "b", "a"}} {
		f := newFindings()
		for _, d := range order {
			f.add(allocation.Diagnostic{Code: "code", Detail: d})
		}
		counts, examples := f.result()
		if counts["code"] != 7 || len(examples["code"]) != examplesPerCode || examples["code"][0] != "a" ||
			examples["code"][4] != "e" {
			t.Errorf("%v %v", counts, examples)
		}
	}
}

func TestPublicPricesComeLastAndOnlyWherePolicyHasThem(t *testing.T) {
	day := period.DayOf(day0)
	book := []ledger.Rate{rate(1, "", ledger.OnDemand, "1", 0, endOfTime)}
	billed := []ledger.Rate{rate(9, "us-east-1", ledger.OnDemand, "20", 0, endOfTime)}
	node := ledger.Node{
		InstanceType: "p5.48xlarge", Region: "us-east-1", PriceClass: ledger.OnDemand, GPUModel: "H100", GPUs: 8,
	}
	for _, c := range []struct {
		name   string
		prices prices
		public bool
	}{{"book", prices{book: book, billed: billed, public: catalog.Embedded()}, false},
		{"bill", prices{billed: billed, public: catalog.Embedded()}, false},
		{"neither", prices{public: catalog.Embedded()}, true}} {
		got, _ := c.prices.rates(&node, day, policy.AssumePublicPrice)
		if got == nil || got.Public != c.public {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got, _ := (prices{}).rates(&node, day, policy.LeaveUnknown); got != nil {
		t.Errorf("the policy says unknown: %+v", got)
	}
	bare := ledger.Node{GPUModel: "NVIDIA H100 80GB HBM3", GPUs: 2}
	if got, list := (prices{public: catalog.Embedded()}).rates(&bare, day, policy.AssumePublicPrice); got == nil ||
		!got.Public || list != nil {
		t.Errorf("a machine of unknown type: %+v, list %+v", got, list)
	}
}

// TestBillsThatMayCoverAMachineOfUnknownAccount: what may be billed depends on the accounts with bills, never on there
// being only one account.
func TestBillsThatMayCoverAMachineOfUnknownAccount(t *testing.T) {
	p := prices{
		covered: map[string]period.Second{"111": 100, "222": 300},
		billers: map[string][]string{"111": {"aws"}, "222": {"gcp"}},
	}
	for _, c := range []struct {
		node           ledger.Node
		covered, maybe period.Second
	}{
		{ledger.Node{Account: "111", ProviderID: "aws:///z/i-1"}, 100, 0},
		{ledger.Node{ProviderID: "aws:///z/i-1"}, 0, 100},
		{ledger.Node{ProviderID: "gce://p/z/n"}, 0, 300},
		{ledger.Node{ProviderID: "neo://n"}, 0, 0},
	} {
		if covered, may := p.coveredUntil(&c.node), p.mayBeBilled(&c.node); covered != c.covered || may != c.maybe {
			t.Errorf("%+v: covered until %d, may be billed until %d", c.node, covered, may)
		}
	}
}
