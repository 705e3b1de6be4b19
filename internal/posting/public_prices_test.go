package posting_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gpuledger/ingest"
	"gpuledger/metrics"
)

// noBill is an hour of a training machine in Stockholm, without a built-in price.
func noBill() string {
	var b strings.Builder
	from := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for m := range 60 {
		at := from.Add(time.Duration(m) * time.Minute).Unix()
		row := func(format string, args ...any) {
			fmt.Fprintf(&b, strings.ReplaceAll(format, "{", `{cluster="north",`)+" %d\n", append(args, at)...)
		}
		row(`kube_node_info{node="n-1",provider_id="aws:///eu-north-1a/i-0123456789abcdef0"} 1`)
		row(`kube_node_created{node="n-1"} %d`, from.Unix())
		row(`kube_node_labels{node="n-1",label_node_kubernetes_io_instance_type="p5.48xlarge",label_topology_kubernetes_io_region="eu-north-1"} 1`)
		row(`kube_node_status_capacity{node="n-1",resource="nvidia_com_gpu",unit="integer"} 8`)
		row(`kube_node_status_condition{node="n-1",condition="Ready",status="true"} 1`)
		for gpu := range 8 {
			row(`DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu="%d",UUID="GPU-%d",modelName="NVIDIA H100 80GB HBM3",Hostname="n-1"} 0`, gpu,
				gpu)
		}
	}
	return b.String() + "# EOF\n"
}

// An imported list of public prices prices hours without a bill again, whatever priced them before; so does a newer
// list, but not an older or the same one.
func TestAnImportedListOfPublicPricesPricesHoursWithoutABill(t *testing.T) {
	t.Parallel()
	w := &world{t: t, dir: t.TempDir()}
	w.fresh()
	im := ingest.Importer{Store: w.store, Now: time.Now}
	load := func(source, name, text string, state ingest.ImportState) {
		t.Helper()
		file := filepath.Join(w.dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		sum, err := im.Import(t.Context(), ingest.Request{Source: source, URIs: []string{file}})
		if err != nil || sum.State != state {
			t.Fatalf("%s: %v %+v", name, err, sum)
		}
		w.allocate()
	}
	const header = "provider,instance_type,region,price_class,currency,hourly,source,source_date\n"
	stands := func(cost, source string) {
		t.Helper()
		equal(t, source, []string{`("public price",` + cost + ",assumed)"}, w.rows(
			"select method, trim_scale(sum(effective_cost)), min(quality) from parts where kind = 'provisional' group by method"))
		explained, err := w.store.Explain(t.Context(), "node/n-1/2026-11-02T00:00")
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprint(sources(explained))
		if !strings.Contains(text, source) {
			t.Errorf("explained by %s, want %s", text, source)
		}
		w.mustVerify(source)
	}

	load(ingest.SourceAuto, "telemetry.om", noBill(), ingest.ImportPublished)
	stands("55.04", "price of another region")
	october := header + "aws,p5.48xlarge,eu-north-1,on_demand,USD,60.2,list of October,2026-10-01\n"
	load(ingest.SourceAuto, "october.csv", october, ingest.ImportPublished)
	stands("60.2", "public price of the catalogue: list of October, 2026-10-01")
	load(ingest.SourceAuto, "again.csv", october, ingest.ImportUnchanged)
	load(ingest.SourceAuto, "june.csv", header+"aws,p5.48xlarge,eu-north-1,on_demand,USD,70,list of June,2026-06-01\n",
		ingest.ImportPublished)
	stands("60.2", "list of October")
	load(ingest.SourcePublicPrices, "late.json", `{"prices":[{"provider":"AWS","instance_type":"P5.48xlarge","region":"EU-North-1","price_class":"on_demand","currency":"USD",
		"hourly":"58.000000000001","source":"list of late October","source_date":"2026-10-31"}]}`, ingest.ImportPublished)
	stands("58.000000000001", "list of late October")
}

// sources lists the sources of the rates in an explanation.
func sources(e *metrics.Explanation) (out []string) {
	for _, h := range e.NodeHours {
		for _, p := range h.Parts {
			if p.Source != nil {
				out = append(out, *p.Source)
			}
		}
	}
	return out
}
