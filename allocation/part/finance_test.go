package part

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Each case below can be read without knowing the program: the rule in a sentence, the lines of the bill, and the
// targets of their money. Hours are those of one day; "-" is a measure that the bill does not have. "amortise" marks
// the halves of pairs that move effective cost; every case adds up, line by line and measure by measure.
//
// The fleet: gpu-1 runs from 00 to 03, gpu-2 from 00 to 02, both p5.48xlarge of account ml. block-1 and block-2
// (p5e.48xlarge) run from 00 to 01 in a capacity block. gce-1 is a Google machine, vm-1 and vm-2 belong to an Azure
// scale set, rack-1 is in the company's own rack. There are no facts after 03.
func financeFleet() *Fleet {
	node := func(id byte, name, typ string, from, to int, keys ...string) ledger.Node {
		return ledger.Node{
			ID: ledger.ID{id}, Name: name, Keys: append([]string{name}, keys...),
			InstanceType: typ, GPUs: 8, Life: hours(from, to),
		}
	}
	nodes := []ledger.Node{
		node(1, "gpu-1", "p5.48xlarge", 0, 3), node(2, "gpu-2", "p5.48xlarge", 0, 2),
		node(3, "block-1", "p5e.48xlarge", 0, 1), node(4, "block-2", "p5e.48xlarge", 0, 1),
		node(5, "gce-1", "a3-highgpu-8g", 0, 3),
		node(6, "vm-1", "Standard_ND96isr_H100_v5", 0, 2, "set"), node(7, "vm-2", "Standard_ND96isr_H100_v5", 0, 1, "set"),
		node(8, "rack-1", "dgx-h100", 0, 3),
	}
	for i := range nodes {
		nodes[i].Account = map[bool]string{true: "ml"}[nodes[i].InstanceType == "p5.48xlarge"]
	}
	return NewFleet(nodes, func(string) bool { return true })
}

var financeNames = []string{"", "gpu-1", "gpu-2", "block-1", "block-2", "gce-1", "vm-1", "vm-2", "rack-1"}

var financeCases = []struct{ name, rule, bill, want string }{
	{
		"no-upfront reserved instance",
		"The hourly fee is the cash; the hours that ran under it carry the same money as effective cost; nothing was unused.",
		`line          kind           machine  hours  billed  effective
		 hour fee      fee            -        00-02  72      0
		 covered hour  covered        gpu-1    00-01  0       36
		 covered hour  covered        gpu-1    01-02  0       36`,
		`line          goes to         machine  hour  billed  effective
		 hour fee      commitment_fee  -        00    36      0
		 hour fee      commitment_fee  -        01    36      0
		 covered hour  compute         gpu-1    00    0       36
		 covered hour  compute         gpu-1    01    0       36`,
	}, {
		"partial-upfront reserved instance, an hour unused",
		"Upfront payment and hourly fee are cash when billed; what the unused hour would have cost is commitment_unused.",
		`line          kind     machine  hours    billed  effective
		 upfront       fee      -        00-8760  1000    0
		 hour fee      fee      -        00-02    40      26
		 covered hour  covered  gpu-1    00-01    0       26`,
		`line          goes to            machine  hour  billed  effective
		 upfront       commitment_fee     -        00    1000    0
		 hour fee      commitment_fee     -        00    20      0
		 hour fee      commitment_fee     -        01    20      0
		 hour fee      commitment_unused  -        00    0       13
		 hour fee      commitment_unused  -        01    0       13
		 covered hour  compute            gpu-1    00    0       26`,
	}, {
		"all-upfront reserved instance, a month after it was paid",
		"No cash this month, and still every hour costs: the amortised upfront fee is on the covered hours and on what " +
			"was unused.",
		`line          kind     machine  hours  billed  effective
		 month fee     fee      -        00-01  0       12.5
		 covered hour  covered  gpu-1    00-01  0       25`,
		`line          goes to            machine  hour  billed  effective
		 month fee     commitment_fee     -        00    0       0
		 month fee     commitment_unused  -        00    0       12.5
		 covered hour  compute            gpu-1    00    0       25`,
	}, {
		"savings plan bought by another account",
		"The negation is billed to the payer and takes the on-demand price off the hour that the plan covered; the cash " +
			"is the payer's fee.",
		`line          kind      account  machine  hours  billed  effective  commitment
		 covered hour  covered   ml       gpu-1    00-01  60      40         plan
		 negation      negation  payer    -        00-01  -60     0          plan
		 plan fee      fee       payer    -        00-01  50      10         plan`,
		`line          goes to            machine  hour  billed  effective
		 covered hour  compute            gpu-1    00    60      40
		 negation      compute            gpu-1    00    -60     0
		 plan fee      commitment_fee     -        00    50      0
		 plan fee      commitment_unused  -        00    0       10`,
	}, {
		"capacity block: an hour used, two idle, one ahead",
		"Paid at once, earned hour by hour: what machines ran in goes to them, what passed idle is unused, what lies " +
			"ahead stays a fee.",
		`line   kind     type          machine  hours  billed  effective
		 block  prepaid  p5e.48xlarge  -        00-04  400     400
		 hour   usage    p5e.48xlarge  block-1  00-01  0       0`,
		`line   goes to            machine  hour  billed  effective  pair
		 block  commitment_fee     -        00    100     100
		 block  commitment_fee     -        01    100     100
		 block  commitment_fee     -        02    100     100
		 block  commitment_fee     -        03    100     100
		 block  commitment_fee     -        00    -       -50        amortise
		 block  compute            block-1  00    -       50         amortise
		 block  commitment_fee     -        00    -       -50        amortise
		 block  compute            block-2  00    -       50         amortise
		 block  commitment_fee     -        01    -       -100       amortise
		 block  commitment_unused  -        01    -       100        amortise
		 block  commitment_fee     -        02    -       -100       amortise
		 block  commitment_unused  -        02    -       100        amortise
		 hour   compute            block-1  00    0       0`,
	}, {
		"capacity block of four machines of which two ran",
		"Where the bill says for how many machine-hours was paid, the share of machines that did not run is unused.",
		`line   kind     type          machine  hours  billed  effective  seconds
		 block  prepaid  p5e.48xlarge  -        00-01  100     100        14400`,
		`line   goes to            machine  hour  billed  effective  pair
		 block  commitment_fee     -        00    100     100
		 block  commitment_fee     -        00    -       -25        amortise
		 block  compute            block-1  00    -       25         amortise
		 block  commitment_fee     -        00    -       -25        amortise
		 block  compute            block-2  00    -       25         amortise
		 block  commitment_fee     -        00    -       -50        amortise
		 block  commitment_unused  -        00    -       50         amortise`,
	}, {
		"on-demand capacity reservation that nothing ran in",
		"Reserved hours without a machine are billed like use; their cash is a fee and all their effective cost unused.",
		`line           kind  type         machine  hours  billed  effective
		 unused hour    fee   p5.48xlarge  -        00-01  55.04   55.04
		 hour in it     usage p5.48xlarge  gpu-1    00-01  55.04   55.04`,
		`line         goes to            machine  hour  billed  effective
		 unused hour  commitment_fee     -        00    55.04   0
		 unused hour  commitment_unused  -        00    0       55.04
		 hour in it   compute            gpu-1    00    55.04   55.04`,
	}, {
		"Google resource commitment, fully used",
		"The machine was credited its list price, the commitment billed instead: the fee's cost goes to the machine that " +
			"drew on it.",
		`line        kind     machine  hours  billed  effective  credit  region
		 cores       usage    gce-1    00-01  0       0          100     us-central1
		 commitment  prepaid  -        00-01  63      63         -       us-central1`,
		`line        goes to         machine  hour  billed  effective  pair
		 cores       compute         gce-1    00    0       0
		 commitment  commitment_fee  -        00    63      63
		 commitment  commitment_fee  -        00    -       -63        amortise
		 commitment  compute         gce-1    00    -       63         amortise`,
	}, {
		"Google spend commitment, partly used",
		"The fee's cost goes to who was credited, as far as the credits reach; the rest is unused.",
		`line        kind     machine  hours  billed  effective  credit  region
		 cores       usage    gce-1    00-01  5       5          20      us-central1
		 database    usage    -        00-01  2       2          10      us-central1
		 elsewhere   usage    -        00-01  2       2          10      europe-west4
		 commitment  prepaid  -        00-01  63      63         -       us-central1`,
		`line        goes to            machine  hour  billed  effective  pair
		 cores       compute            gce-1    00    5       5
		 database    non_gpu            -        00    2       2
		 elsewhere   non_gpu            -        00    2       2
		 commitment  commitment_fee     -        00    63      63
		 commitment  commitment_fee     -        00    -       -20        amortise
		 commitment  compute            gce-1    00    -       20         amortise
		 commitment  commitment_fee     -        00    -       -10        amortise
		 commitment  non_gpu            -        00    -       10         amortise
		 commitment  commitment_fee     -        00    -       -33        amortise
		 commitment  commitment_unused  -        00    -       33         amortise`,
	}, {
		"Google commitment for cores and for memory",
		"Two fees of one commitment share its credits in proportion, and so what was unused.",
		`line    kind     machine  hours  billed  effective  credit  commitment
		 use     usage    gce-1    00-01  0       0          50      c-1
		 cores   prepaid  -        00-01  75      75         -       c-1
		 memory  prepaid  -        00-01  25      25         -       c-1
		 other   prepaid  -        00-01  10      10         -       c-2`,
		`line    goes to            machine  hour  billed  effective  pair
		 use     compute            gce-1    00    0       0
		 cores   commitment_fee     -        00    75      75
		 cores   commitment_fee     -        00    -       -37.5      amortise
		 cores   compute            gce-1    00    -       37.5       amortise
		 cores   commitment_fee     -        00    -       -37.5      amortise
		 cores   commitment_unused  -        00    -       37.5       amortise
		 memory  commitment_fee     -        00    25      25
		 memory  commitment_fee     -        00    -       -12.5      amortise
		 memory  compute            gce-1    00    -       12.5       amortise
		 memory  commitment_fee     -        00    -       -12.5      amortise
		 memory  commitment_unused  -        00    -       12.5       amortise
		 other   commitment_fee     -        00    10      10`,
	}, {
		"Azure reservation bought and partly refunded (actual and amortised cost)",
		"Purchase and refund are cash in the actual export; the amortised export has what each machine used and what " +
			"nobody used.",
		`line      kind     machine  hours    billed  effective
		 purchase  fee      -        00-8760  876     -
		 refund    fee      -        00-01    -400    -
		 vm        covered  vm-1     00-02    -       2
		 unused    fee      -        00-01    -       0.5`,
		`line      goes to            machine  hour  billed  effective
		 purchase  commitment_fee     -        00    876     -
		 refund    commitment_fee     -        00    -400    -
		 vm        compute            vm-1     00    -       1
		 vm        compute            vm-1     01    -       1
		 unused    commitment_fee     -        00    -       0
		 unused    commitment_unused  -        00    -       0.5`,
	}, {
		"a day of an Azure scale set",
		"The bill names the set; its machines share the line by the time they were up.",
		`line  kind   machine  hours  billed  effective
		 set   usage  set      00-24  9       9`,
		`line  goes to  machine  hour  billed  effective
		 set   compute  vm-1     00    3       3
		 set   compute  vm-2     00    3       3
		 set   compute  vm-1     01    3       3`,
	}, {
		"a month of an Azure machine",
		"A line of the month goes to the hours in which the machine was up.",
		`line  kind   machine  hours   billed  effective
		 vm    usage  vm-1     00-720  9       9`,
		`line  goes to  machine  hour  billed  effective
		 vm    compute  vm-1     00    4.5     4.5
		 vm    compute  vm-1     01    4.5     4.5`,
	}, {
		"two lines that overlap",
		"Lines are cut each for itself: what both bill for the same hour is there twice, as it is on the bill.",
		`line    kind   machine  hours  billed  effective
		 first   usage  gpu-1    00-02  20      20
		 second  usage  gpu-1    01-03  30      30`,
		`line    goes to  machine  hour  billed  effective
		 first   compute  gpu-1    00    10      10
		 first   compute  gpu-1    01    10      10
		 second  compute  gpu-1    01    15      15
		 second  compute  gpu-1    02    15      15`,
	}, {
		"12 % enterprise discount with resource ids",
		"The discount of a machine's hour goes where the hour went.",
		`line      kind      machine  hours  billed  effective
		 hour      usage     gpu-1    00-01  100     100
		 discount  discount  gpu-1    00-01  -12     -12`,
		`line      goes to  machine  hour  billed  effective
		 hour      compute  gpu-1    00    100     100
		 discount  compute  gpu-1    00    -12     -12`,
	}, {
		"12 % enterprise discount without resource ids",
		"A discount of a service is split between the fleet and the rest as the service was billed; one of machine-hours " +
			"by their usage type.",
		`line         kind      service    usage type  type         machine  hours  billed  effective
		 hour         usage     AmazonEC2  p5          p5.48xlarge  gpu-1    00-01  75      75
		 web server   usage     AmazonEC2  m5          m5.large     -        00-01  25      25
		 storage      usage     AmazonS3   -           -            -        00-01  900     900
		 on the p5    discount  AmazonEC2  p5          p5.48xlarge  -        00-01  -9      -9
		 on the m5    discount  AmazonEC2  m5          m5.large     -        00-01  -3      -3
		 on EC2       discount  AmazonEC2  -           -            -        00-01  -4      -4
		 on all       discount  -          -           -            -        00-01  -40     -40`,
		`line        goes to  machine  hour  billed  effective
		 hour        compute  gpu-1    00    75      75
		 web server  non_gpu  -        00    25      25
		 storage     non_gpu  -        00    900     900
		 on the p5   shared   -        00    -9      -9
		 on the m5   non_gpu  -        00    -3      -3
		 on EC2      shared   -        00    -3      -3
		 on EC2      non_gpu  -        00    -1      -1
		 on all      shared   -        00    -3      -3
		 on all      non_gpu  -        00    -37     -37`,
	}, {
		"12 % enterprise discount in net columns",
		"The lines are net already; the discount line is kept and moves nothing, so that nothing is taken off twice.",
		`line      kind      machine  hours  billed  effective
		 hour      usage     gpu-1    00-01  88      88
		 discount  discount  gpu-1    00-01  0       0`,
		`line      goes to  machine  hour  billed  effective
		 hour      compute  gpu-1    00    88      88
		 discount  compute  gpu-1    00    0       0`,
	}, {
		"tax on a mixed invoice",
		"Tax is split between the fleet and the rest as the account was billed otherwise, discounts taken off.",
		`line      kind      account  machine  hours  billed  effective
		 hour      usage     ml       gpu-1    00-01  40      40
		 discount  discount  ml       gpu-1    00-01  -10     -10
		 storage   usage     ml       -        00-01  10      10
		 foreign   usage     web      -        00-01  999     999
		 tax       tax       ml       -        00-02  4       4`,
		`line      goes to  machine  hour  billed  effective
		 hour      compute  gpu-1    00    40      40
		 discount  compute  gpu-1    00    -10     -10
		 storage   non_gpu  -        00    10      10
		 foreign   non_gpu  -        00    999     999
		 tax       shared   -        00    1.5     1.5
		 tax       shared   -        01    1.5     1.5
		 tax       non_gpu  -        00    0.5     0.5
		 tax       non_gpu  -        01    0.5     0.5`,
	}, {
		"tax billed to the billing account itself",
		"An invoice-wide line that names no account is split as all accounts were billed.",
		`line     kind   account  machine  hours  billed  effective
		 hour     usage  ml       gpu-1    00-01  30      30
		 storage  usage  web      -        00-01  10      10
		 tax      tax    payer    -        00-01  4       4`,
		`line     goes to  machine  hour  billed  effective
		 hour     compute  gpu-1    00    30      30
		 storage  non_gpu  -        00    10      10
		 tax      shared   -        00    3       3
		 tax      non_gpu  -        00    1       1`,
	}, {
		"SageMaker training on a GPU instance",
		"A managed service bills GPUs by use: there is no machine of ours, the cost is the tag owner's.",
		`line      kind   type             machine  hours  billed  effective
		 training  usage  ml.p4d.24xlarge  -        00-01  25.2    25.2
		 notebook  usage  ml.t3.medium     -        00-01  0.05    0.05`,
		`line      goes to  machine  hour  billed  effective
		 training  metered  -        00    25.2    25.2
		 notebook  non_gpu  -        00    0.05    0.05`,
	}, {
		"credit and refund of a machine",
		"They follow the machine whose line they correct, hour by hour over the time it was up.",
		`line    kind      machine  hours  billed  effective
		 credit  discount  gpu-2    00-03  -5      -5
		 refund  discount  gpu-1    00-01  -2.5    -2.5`,
		`line    goes to  machine  hour  billed  effective
		 credit  compute  gpu-2    00    -2.5    -2.5
		 credit  compute  gpu-2    01    -2.5    -2.5
		 refund  compute  gpu-1    00    -2.5    -2.5`,
	}, {
		"GPU hours that name no machine of ours",
		"Somebody paid for GPUs: they are pooled over the machines that fit, and without one they stay on the GPU side, " +
			"unobserved.",
		`line      kind   type         account  machine  hours  billed  effective
		 pooled    usage  p5.48xlarge  ml       none     00-01  10      10
		 nowhere   usage  p5.48xlarge  web      none     00-01  10      10
		 web       usage  m5.large     web      none     00-01  10      10`,
		`line     goes to  machine  hour  billed  effective
		 pooled   compute  gpu-1    00    5       5
		 pooled   compute  gpu-2    00    5       5
		 nowhere  compute  -        00    10      10
		 web      non_gpu  -        00    10      10`,
	}, {
		"EKS's own split of a machine's cost",
		"Its rows repeat the machine's line: they are evidence and get nothing.",
		`line   kind   machine  hours  billed  effective
		 hour   usage  gpu-1    00-01  55.04   55.04
		 split  split  gpu-1    00-01  0       0`,
		`line  goes to  machine  hour  billed  effective
		 hour  compute  gpu-1    00    55.04   55.04`,
	}, {
		"a machine in an own rack",
		"The price book charges it hour by hour like a rented one.",
		`line  kind   machine  hours  billed  effective
		 hour  usage  rack-1   00-01  11.32   11.32`,
		`line  goes to  machine  hour  billed  effective
		 hour  compute  rack-1   00    11.32   11.32`,
	},
}

func TestFinanceCases(t *testing.T) {
	for _, c := range financeCases {
		t.Run(c.name, func(t *testing.T) {
			bill, names := billOf(t, c.bill)
			parts := cutWith(t, financeFleet(), bill...)
			var got [][]string
			for i, ch := range bill {
				for _, p := range parts[ch.ID] {
					got = append(got, []string{names[i], string(p.Kind), orDash(financeNames[p.NodeID[0]]),
						fmt.Sprintf("%02d", (p.Hour-t0)/3600),
						shown(p.Billed), shown(p.Effective), strings.TrimPrefix(string(p.PostingKind), string(ledger.Direct))})
				}
				addsUp(t, ch, parts[ch.ID])
			}
			if diff := cmp.Diff(wanted(t, c.want), got); diff != "" {
				t.Errorf("%s\n(- wanted, + got):\n%s", c.rule, diff)
			}
		})
	}
}

// Only prepaid capacity beyond the time that machines ran is unused: zero if they ran as much or more, all of it if
// none ran.
func TestOnlyPrepaidCapacityBeyondUseIsUnused(t *testing.T) {
	hour := period.Interval{From: 360_000, To: 363_600}
	nodes := []ledger.Node{
		{ID: ledger.ID{1}, GPUs: 8, Life: hour},
		{ID: ledger.ID{2}, GPUs: 8, Life: period.Interval{From: hour.From, To: hour.From + 1800}},
	}
	c := &Cutter{fleet: NewFleet(nodes, func(string) bool { return true })}
	for _, x := range []struct {
		nodes    []*ledger.Node
		capacity int64
		want     uint64 // unused, 0 none
	}{
		{[]*ledger.Node{&nodes[0], &nodes[1]}, 7200, 1800},
		{[]*ledger.Node{&nodes[0], &nodes[1]}, 5400, 0}, {[]*ledger.Node{&nodes[0], &nodes[1]}, 3600, 0},
		{nil, 3600, 3600}, {nil, 0, 1}, {[]*ledger.Node{&nodes[0]}, 0, 0},
	} {
		places := c.inHour(x.nodes, hour, money.FromUnits(x.capacity))
		unused, ran := uint64(0), 0
		for _, p := range places {
			if p.kind == ledger.PartCommitmentUnused {
				unused += p.weight
			} else {
				ran++
			}
		}
		if unused != x.want || ran != len(x.nodes) || len(places) > len(x.nodes)+1 || x.want == 0 &&
			len(places) != len(x.nodes) {
			t.Errorf("%d machines of %d seconds: %+v, want %d unused", len(x.nodes), x.capacity, places, x.want)
		}
	}
}

// A machine that may have an instance key is found by it only if no machine certainly has it; if several may have it,
// all are found.
func TestCandidatesAnswerWhereNobodyElseDoes(t *testing.T) {
	f := NewFleet([]ledger.Node{
		{ID: ledger.ID{1}, GPUs: 8, Keys: []string{"i-1"}},
		{ID: ledger.ID{2}, GPUs: 8, Candidates: []string{"i-1", "i-2", "i-3"}},
		{ID: ledger.ID{3}, GPUs: 8, Candidates: []string{"i-2", "i-3"}},
	}, func(key string) bool { return key != "i-3" })
	for key, want := range map[string]struct {
		nodes int
		maybe bool
	}{"i-1": {1, false}, "i-2": {2, true}, "i-3": {0, false}} {
		if m := f.byKey[key]; len(m.nodes) != want.nodes || m.maybe != want.maybe {
			t.Errorf("%s: %d machines, candidates %v", key, len(m.nodes), m.maybe)
		}
	}
}
