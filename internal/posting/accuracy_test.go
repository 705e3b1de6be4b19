package posting_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/closing"
	"gpuledger/internal/period"
	"gpuledger/metrics"
	"gpuledger/test/storetest"
	"gpuledger/test/tier"
)

// estimated is four hours of two machines of AWS at 10 USD an hour by the price book: on i-0a, team nlp trains on all
// GPUs; i-0b is free.
type estimated struct {
	*world
	team  string // of the pod's label; empty: no label
	files int
}

const morning = period.Second(1793577600) // 2026-11-02

func newEstimated(t *testing.T) *estimated {
	t.Helper()
	e := &estimated{world: &world{t: t, dir: t.TempDir()}, team: "nlp"}
	e.fresh()
	e.bring("book.yaml", ingest.Request{}, `rates:
- {instance_type: p5.48xlarge, price_class: on_demand, currency: USD, hourly: "10"}
`)
	return e
}

func (e *estimated) bring(name string, req ingest.Request, text string) {
	e.t.Helper()
	e.files++
	file := filepath.Join(e.dir, fmt.Sprintf("%d-%s", e.files, name))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
	req.URIs = []string{file}
	if req.Source == "" {
		req.Source = ingest.SourceAuto
	}
	im := ingest.Importer{Store: e.store, Now: time.Now}
	if sum, err := im.Import(e.t.Context(), req); err != nil {
		e.t.Fatalf("%s: %v %+v", name, err, sum)
	}
}

// observe brings the telemetry of hours [from, to).
func (e *estimated) observe(from, to int) {
	e.t.Helper()
	var b strings.Builder
	for m := from * 60; m < to*60; m++ {
		row := func(format string, args ...any) {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "{", `{cluster="prod",`)+" %d\n",
				append(args, int64(morning)+int64(m)*60)...)
		}
		for _, node := range []string{"a", "b"} {
			row(`kube_node_info{node="%s",provider_id="aws:///us-east-1a/i-0%[1]s"} 1`, node)
			row(`kube_node_created{node="%s"} %d`, node, morning)
			row(`kube_node_labels{node="%s",label_node_kubernetes_io_instance_type="p5.48xlarge",`+
				`label_topology_kubernetes_io_region="us-east-1",label_karpenter_sh_capacity_type="on-demand"} 1`, node)
			row(`kube_node_status_capacity{node="%s",resource="nvidia_com_gpu",unit="integer"} 8`, node)
			row(`kube_node_status_condition{node="%s",condition="Ready",status="true"} 1`, node)
			for gpu := range 8 {
				held := ""
				if node == "a" {
					held = `,exported_namespace="ml",exported_pod="train-0",exported_container="c"`
				}
				row(`DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="%d",UUID="GPU-%s%[1]d",modelName="H100",Hostname="%[2]s"%s} 0.9`, gpu, node,
					held)
			}
		}
		const pod = `namespace="ml",pod="train-0",uid="u-0"`
		row(`kube_pod_info{%s,node="a",created_by_kind="Job",created_by_name="train"} 1`, pod)
		row(`kube_pod_owner{%s,owner_kind="Job",owner_name="train",owner_is_controller="true"} 1`, pod)
		row(`kube_pod_status_scheduled_time{%s} %d`, pod, morning)
		row(`kube_pod_status_phase{%s,phase="Running"} 1`, pod)
		if e.team != "" {
			row(`kube_pod_labels{%s,label_team="%s"} 1`, pod, e.team)
		}
		row(`kube_pod_container_resource_requests{%s,container="c",node="a",resource="nvidia_com_gpu",unit="integer"} 8`, pod)
	}
	e.bring("telemetry.om", ingest.Request{}, b.String()+"# EOF\n")
}

// delivered is one delivery of the month's bill. Each replaces the last one.
type delivered struct {
	machines string // their letters
	hours    int    // of each, from the first
	cost     string // of an hour
	currency string
}

func (d delivered) text() string {
	var b strings.Builder
	b.WriteString("identity/LineItemId,identity/TimeInterval,bill/PayerAccountId,bill/BillingPeriodStartDate," +
		"lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,lineItem/ProductCode," +
		"lineItem/UsageType,lineItem/Operation,lineItem/ResourceId,lineItem/UsageAmount,lineItem/CurrencyCode," +
		"lineItem/UnblendedCost,product/instanceType,product/region\n")
	for _, machine := range d.machines {
		for h := range d.hours {
			from, to := morning+period.Second(h)*period.Hour, morning+period.Second(h+1)*period.Hour
			fmt.Fprintf(&b, "%c%d,%s/%[4]s,1111,2026-11-01T00:00:00Z,2222,Usage,%[3]s,%[4]s,AmazonEC2,BoxUsage:p5.48xlarge,"+
				"RunInstances,i-0%[1]c,1,%[5]s,%[6]s,p5.48xlarge,us-east-1\n", machine, h, from, to, d.currency, d.cost)
		}
	}
	return b.String()
}

// bill brings a delivery of the day after, at hour.
func (e *estimated) bill(hour int, d delivered) {
	e.t.Helper()
	at := morning + period.Day + period.Second(hour)*period.Hour
	e.bring("bill.csv", ingest.Request{DeliveredAt: &at}, d.text())
}

// wants compares the rows of provisional_accuracy.
func (e *estimated) wants(when string, want ...string) {
	e.t.Helper()
	var got []string
	for _, r := range storetest.Table(e.t, e.store, "provisional_accuracy", metrics.Options{}) {
		if r["day"] != morning.String() || r["provider"] != "aws" {
			e.t.Errorf("%s: %s of %s", when, r["day"], r["provider"])
		}
		got = append(got,
			strings.Join([]string{r["team"], r["currency"], r["provisional"], r["final"], r["error"], r["share"]}, " "))
	}
	equal(e.t, when, want, got)
}

// seesOnlyItsTeam: the scope of a team has its rows alone. The estimates of unheld time are another owner's.
func (e *estimated) seesOnlyItsTeam(when string) {
	e.t.Helper()
	q, err := metrics.Parse("provisional_accuracy", metrics.Options{GroupBy: "team"})
	if err != nil {
		e.t.Fatal(err)
	}
	a, err := metrics.ReadAnswer(storetest.InPart(e.t, e.store, "team = 'nlp'"), e.store, q)
	if err != nil || len(a.Rows) != 1 || a.Rows[0][a.At("team")].Text != "nlp" {
		e.t.Errorf("%s: %v, %v", when, a, err)
	}
}

// The first bill of each hour keeps its estimate, however many deliveries bring the hours; the newest bill is the final
// cost, also of months that were closed before it.
func TestAccuracyOverDeliveries(t *testing.T) {
	t.Parallel()
	e := newEstimated(t)
	e.observe(0, 2)
	e.allocate()
	e.wants("before a bill")
	e.bill(1, delivered{"ab", 1, "12", "USD"})
	e.allocate()
	one := []string{"nlp USD 10 12 -2 -0.166666666667", "unowned USD 10 12 -2 -0.166666666667"}
	e.wants("one hour billed", one...)
	e.observe(2, 4)
	e.allocate()
	e.wants("more hours without a bill", one...)
	e.bill(2, delivered{"ab", 4, "12", "USD"})
	e.allocate()
	four := []string{"nlp USD 40 48 -8 -0.166666666667", "unowned USD 40 48 -8 -0.166666666667"}
	e.wants("all hours billed", four...)
	e.bill(2, delivered{"ab", 4, "12", "USD"})
	e.observe(0, 4)
	e.allocate()
	e.wants("nothing new", four...)
	later := closing.Closer{Store: e.store, Now: func() time.Time { return (morning + 60*period.Day).Time() }}
	if _, err := later.Close(t.Context(), "2026-11", "", "finance"); err != nil {
		t.Fatal(err)
	}
	e.allocate()
	e.wants("closed", four...)
	e.bill(3, delivered{"ab", 4, "8", "USD"})
	e.allocate()
	e.wants("restated after the close", "nlp USD 40 32 8 0.25", "unowned USD 40 32 8 0.25")
	e.mustVerify("restated after the close")
	e.seesOnlyItsTeam("of the ledger")
	storetest.RollNovember(t, e.store)
	e.wants("rolled up", "nlp USD 40 32 8 0.25", "unowned USD 40 32 8 0.25")
	e.seesOnlyItsTeam("rolled up")
	of, err := metrics.ReadEstimates(t.Context(), e.store)
	if err != nil || len(of) != 1 || of[0].Days != 1 || of[0].Bias().RatString() != "1/4" {
		t.Errorf("measured %v, %v", of, err)
	}
}

func TestAccuracyOfMachinesTeamsAndCurrencies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps []func(*estimated)
		want  []string
	}{
		"no estimate, since the bill came first": {[]func(*estimated){
			func(e *estimated) { e.bill(1, delivered{"ab", 4, "12", "USD"}) },
			func(e *estimated) { e.observe(0, 4) },
		}, nil},
		"a machine that the bill leaves out": {[]func(*estimated){
			func(e *estimated) { e.observe(0, 4) },
			func(e *estimated) { e.bill(1, delivered{"a", 4, "12", "USD"}) },
		}, []string{"nlp USD 40 48 -8 -0.166666666667", "unowned USD 40 0 40 "}},
		"a machine that only a later delivery has": {[]func(*estimated){
			func(e *estimated) { e.observe(0, 4) },
			func(e *estimated) { e.bill(1, delivered{"a", 4, "12", "USD"}) },
			func(e *estimated) { e.bill(2, delivered{"ab", 4, "12", "USD"}) },
		}, []string{"nlp USD 40 48 -8 -0.166666666667", "unowned USD 40 48 -8 -0.166666666667"}},
		"a team that is known after the bill": {[]func(*estimated){
			func(e *estimated) { e.team = ""; e.observe(0, 4) },
			func(e *estimated) { e.bill(1, delivered{"ab", 4, "12", "USD"}) },
			func(e *estimated) { e.team = "nlp"; e.observe(0, 4) },
		}, []string{"nlp USD 0 48 -48 -1", "unowned USD 80 48 32 0.666666666667"}},
		"a bill in another currency": {[]func(*estimated){
			func(e *estimated) { e.observe(0, 4) },
			func(e *estimated) { e.bill(1, delivered{"a", 4, "11", "EUR"}) },
		}, []string{"nlp EUR 0 44 -44 -1", "nlp USD 40 0 40 ", "unowned USD 40 0 40 "}},
		"hours that no longer have a bill": {[]func(*estimated){
			func(e *estimated) { e.observe(0, 4) },
			func(e *estimated) { e.bill(1, delivered{"ab", 4, "12", "USD"}) },
			func(e *estimated) { e.bill(2, delivered{"ab", 2, "12", "USD"}) },
		}, nil},
		"and have one again": {[]func(*estimated){
			func(e *estimated) { e.observe(0, 4) },
			func(e *estimated) { e.bill(1, delivered{"ab", 4, "12", "USD"}) },
			func(e *estimated) { e.bill(2, delivered{"ab", 2, "12", "USD"}) },
			func(e *estimated) { e.bill(3, delivered{"ab", 4, "12", "USD"}) },
		}, []string{"nlp USD 20 24 -4 -0.166666666667", "unowned USD 20 24 -4 -0.166666666667"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEstimated(t)
			for _, step := range c.steps {
				step(e)
				e.allocate()
			}
			e.wants(name, c.want...)
			e.mustVerify(name)
		})
	}
}

// TestAccuracyInAnyOrder imports deliveries in any order, each once or twice, with or without an allocation in between:
// the rate is that of the price book, so no estimate depends on the bills of other hours.
func TestAccuracyInAnyOrder(t *testing.T) {
	t.Parallel()
	deliveries := []delivered{{"a", 1, "9", "USD"}, {"ab", 2, "12", "USD"}, {"b", 3, "11", "USD"}, {"ab", 4, "13", "USD"}}
	for seed := range tier.Draws(12) {
		r := rand.New(rand.NewPCG(uint64(seed), 41))
		e := newEstimated(t)
		e.observe(0, 4)
		e.allocate()
		order := append(r.Perm(len(deliveries)), r.Perm(len(deliveries))...)
		for _, i := range order {
			e.bill(i, deliveries[i])
			if r.IntN(2) == 0 {
				e.allocate()
			}
		}
		e.allocate()
		e.wants(fmt.Sprintf("order %v", order), "nlp USD 40 52 -12 -0.230769230769", "unowned USD 40 52 -12 -0.230769230769")
		e.mustVerify("any order")
	}
}
