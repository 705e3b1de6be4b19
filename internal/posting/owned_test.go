package posting_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/internal/store/verify"
)

// bareMetal is three hours of two machines without a provider. bm-1 trains on both GPUs, which draw 500 W each; bm-2,
// whose energy is not measured, has one GPU held idle and one free.
func bareMetal() string {
	var b strings.Builder
	from := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for m := range 180 {
		at := from.Add(time.Duration(m) * time.Minute).Unix()
		row := func(format string, args ...any) {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "{", `{cluster="onprem",`)+" %d\n", append(args, at)...)
		}
		for _, node := range []string{"bm-1", "bm-2"} {
			row(`kube_node_info{node="%s",provider_id=""} 1`, node)
			row(`kube_node_created{node="%s"} %d`, node, from.Unix())
			row(`kube_node_status_capacity{node="%s",resource="nvidia_com_gpu",unit="integer"} 2`, node)
			row(`kube_node_status_condition{node="%s",condition="Ready",status="true"} 1`, node)
		}
		for i, pod := range []struct {
			name, node string
			gpus       int
		}{{"train-0", "bm-1", 2}, {"notebook", "bm-2", 1}} {
			ids := fmt.Sprintf(`namespace="research",pod="%s",uid="u-%d"`, pod.name, i)
			row(`kube_pod_info{%s,node="%s",created_by_kind="Job",created_by_name="%s"} 1`, ids, pod.node, pod.name)
			row(`kube_pod_owner{%s,owner_kind="Job",owner_name="%s",owner_is_controller="true"} 1`, ids, pod.name)
			row(`kube_pod_status_scheduled_time{%s} %d`, ids, from.Unix())
			row(`kube_pod_status_phase{%s,phase="Running"} 1`, ids)
			row(`kube_pod_labels{%s,label_team="nlp"} 1`, ids)
			row(`kube_pod_container_resource_requests{%s,container="c",node="%s",resource="nvidia_com_gpu",unit="integer"} %d`,
				ids, pod.node, pod.gpus)
		}
		for gpu := range 2 {
			for i, node := range []string{"bm-1", "bm-2"} {
				device := fmt.Sprintf(`gpu="%d",UUID="GPU-%d%d",modelName="NVIDIA H100 80GB HBM3",Hostname="%s"`, gpu, i, gpu, node)
				held, active := "", "0"
				switch {
				case node == "bm-1":
					held, active = `,exported_namespace="research",exported_pod="train-0",exported_container="c"`, "0.9"
				case gpu == 0:
					held = `,exported_namespace="research",exported_pod="notebook",exported_container="c"`
				}
				row(`DCGM_FI_PROF_GR_ENGINE_ACTIVE{%s%s} %s`, device, held, active)
				if node == "bm-1" { // millijoules
					row(`DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{%s%s} %d`, device, held, 1_000_000+m*500*60*1000)
				}
			}
		}
	}
	return b.String() + "# EOF\n"
}

// bareBook depreciates 21600 over 30 months: 720 EUR over the 720 hours from
// 2 November to 2 December.
const bareBook = `name: hall
issued_at: 2026-12-01
owned:
- name: pair
  cluster: onprem
  nodes: [bm-1, bm-2]
  gpus: 2
  in_service: 2026-11-02
  through: 2026-11-02T03:00:00Z
  currency: EUR
  purchase_price: "21600"
  depreciation: straight_line
  life_months: 30
  power: {measured: true, fallback_kw: "0.8", tariff_per_kwh: "0.2"}
`

// TestOwnedHardwareEndToEnd follows a price book from its text to postings.
func TestOwnedHardwareEndToEnd(t *testing.T) {
	t.Parallel()
	w := &world{t: t, dir: t.TempDir()}
	w.fresh()
	for name, text := range map[string]string{"telemetry.om": bareMetal(), "hall.yaml": bareBook} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	im := ingest.Importer{Store: w.store, Now: time.Now}
	sum, err := im.Import(t.Context(), ingest.Request{Source: ingest.SourceAuto, URIs: []string{w.dir}})
	if err != nil || len(sum.Deliveries) != 1 || sum.Deliveries[0].Rows != 6 ||
		sum.NotedByReason["node-hour whose energy was not measured throughout: fallback_kw"] != 4 {
		t.Fatalf("%v %+v", err, sum)
	}
	w.allocate()

	// The second hour: 1 EUR of depreciation each; 1 kWh measured, 0.8 assumed.
	equal(t, "second hour", []string{"(bm-1,used,f,1.2)", "(bm-2,held_idle,f,0.58)", "(bm-2,free,t,0.58)"}, w.rows(`
		select n.name, p.cause, p.workload_id is null, trim_scale(sum(p.effective_cost)) from postings p
		join nodes n using (tenant_id, node_id)
		where p.hour = '2026-11-02 01:00Z' group by n.name, p.cause, p.workload_id is null`))
	equal(t, "three hours", []string{"(used,t,f)", "(held_idle,t,f)", "(overhead,t,f)", "(free,t,f)"}, w.rows(`
		select p.cause, bool_and(p.billed_cost = p.effective_cost and p.contracted_cost = p.effective_cost
		  and p.list_cost is null), bool_or(p.state = 'provisional')
		from postings p where p.effective_cost is not null group by p.cause`))
	// In the first hour a minute is unknown: 59 of 1 kW, one of 0.8, × 0.2.
	equal(t, "money", []string{"(7.079333333333,7.079333333333,6)"}, w.rows(`
		select (select trim_scale(sum(effective_cost)) from charges), (select trim_scale(sum(effective_cost)) from postings),
		  (select count(*) from charges)`))
	equal(t, "nodes", []string{"(bm-1,2,owned)", "(bm-2,2,owned)"},
		w.rows("select name, gpus, price_class from nodes where gpus > 0"))
	equal(t, "teams", []string{"(nlp,5.339333333333)"}, w.rows(`select o.team, trim_scale(sum(p.effective_cost))
		from postings p join owners o using (tenant_id, owner_id)
		where o.team = 'nlp' group by o.team`))
	report, err := w.store.Verify(t.Context(), verify.Options{FailStale: true})
	if err != nil || report.Failed() {
		t.Errorf("%v %+v", err, report)
	}
	// Its text is kept, so that a folder of files can be compared with it.
	if state, err := w.store.Configuration(t.Context()); err != nil || len(state.Books) != 1 ||
		state.Books[0].Document != bareBook || len(state.Untold()) != 0 {
		t.Errorf("%v %+v", err, state)
	}
	// The same book again is the same delivery.
	if sum, err = im.Import(t.Context(), ingest.Request{
		Source: ingest.SourcePriceBook, URIs: []string{filepath.Join(w.dir, "hall.yaml")},
	}); err != nil || sum.State != ingest.ImportUnchanged {
		t.Errorf("%v %+v", err, sum)
	}
}
