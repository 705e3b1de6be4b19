package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hoursOfNode is telemetry of a node and its pod over three hours, a sample a
// minute.
func hoursOfNode(name, providerID, instanceType string, gpus int) string {
	const start = 1793577600 // 2026-11-02
	type series struct{ metric, labels, value string }
	list := []series{
		{"kube_node_info", fmt.Sprintf(`node=%q,provider_id=%q`, name, providerID), "1"},
		{"kube_node_created", fmt.Sprintf(`node=%q`, name), fmt.Sprint(start)},
		{
			"kube_node_status_capacity", fmt.Sprintf(`node=%q,resource="nvidia_com_gpu",unit="integer"`, name), fmt.Sprint(gpus),
		},
		{"kube_node_labels", fmt.Sprintf(`node=%q,label_node_kubernetes_io_instance_type=%q`, name, instanceType), "1"},
		{
			"kube_pod_info", fmt.Sprintf(`namespace="nlp",pod="t",uid="uid-t",node=%q,created_by_kind="Job",created_by_name="t"`,
				name), "1",
		},
		{"kube_pod_start_time", `namespace="nlp",pod="t",uid="uid-t"`, fmt.Sprint(start)},
		{
			"kube_pod_container_resource_requests",
			fmt.Sprintf(`namespace="nlp",pod="t",uid="uid-t",container="main",node=%q,resource="nvidia_com_gpu",unit="integer"`,
				name), fmt.Sprint(gpus),
		},
		{"kube_pod_labels", `namespace="nlp",pod="t",uid="uid-t",label_team="nlp"`, "1"},
	}
	for i := range gpus {
		list = append(list, series{
			"DCGM_FI_DEV_GPU_UTIL", fmt.Sprintf(`gpu="%d",UUID="GPU-%d",modelName="NVIDIA H100 80GB HBM3",Hostname=%q,namespace="nlp",pod="t",container="main"`, i, i, name), "80",
		})
	}
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "# TYPE %s gauge\n", s.metric)
		for m := range 180 {
			fmt.Fprintf(&b, "%s{%s} %s %d\n", s.metric, s.labels, s.value, start+60*m)
		}
	}
	return b.String() + "# EOF\n"
}

// hourly is a bill: a header, and a line for each of the three hours, in which %H is its start and %E its end.
func hourly(header, line string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for h := range 3 {
		b.WriteString(strings.NewReplacer("%H", fmt.Sprintf("2026-11-02T%02d:00:00Z", h), "%E",
			fmt.Sprintf("2026-11-02T%02d:00:00Z", h+1), "%N", fmt.Sprint(h)).Replace(line) + "\n")
	}
	return b.String()
}

// TestAMachineIsChargedOnce: a line that names a known machine is its cost, by any name and whichever of bill and
// telemetry comes first, and no provisional cost is left in addition.
func TestAMachineIsChargedOnce(t *testing.T) {
	const focus = "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart,ChargeCategory,ChargeDescription,ChargePeriodStart,ChargePeriodEnd,ConsumedQuantity,ConsumedUnit," +
		"ProviderName,ResourceId,ResourceName,ServiceCategory,ServiceName,SubAccountId"
	const cur = "identity/LineItemId,identity/TimeInterval,bill/PayerAccountId,bill/BillingPeriodStartDate,lineItem/UsageAccountId,lineItem/LineItemType,lineItem/UsageStartDate," +
		"lineItem/UsageEndDate,lineItem/ProductCode,lineItem/Operation,lineItem/ResourceId,lineItem/UsageAmount,lineItem/CurrencyCode,lineItem/UnblendedCost,product/instanceType,pricing/unit"
	for name, c := range map[string]struct {
		node, provider, kind string
		gpus                 int
		source, bill         string
	}{
		"by resource id": {"node-0011", "neo://node-0011", "gd-8xh100ib-i128", 8, "focus",
			hourly(focus, "20,20,acct,USD,2026-11-01T00:00:00Z,Usage,8x "+
				"node,%H,%E,1,Hours,ExampleNeo,node-0011,,Compute,GPU Nodes,project")},
		"by name": {"node-0011", "neo://0b1c", "gd-8xh100ib-i128", 8, "focus",
			hourly(focus, "20,20,acct,USD,2026-11-01T00:00:00Z,Usage,8x "+
				"node,%H,%E,8,GPU-Hours,ExampleNeo,urn/77,node-0011,Compute,GPU Nodes,project")},
		"EC2 without usage types": {"ip-10-0-0-1", "aws:///us-east-1a/i-0123456789abcdef0", "g5.12xlarge", 4, "aws-cur",
			hourly(cur, "l%N,%H/%E,111111111111,2026-11-01T00:00:00Z,222222222222,Usage,%H,%E,AmazonEC2,RunInstances,arn:aws:ec2:us-east-1:222222222222:instance/i-0123456789abcdef0,1,USD,20,,Hrs")},
		"Google by name and region": {"gke-1", "gce://proj/us-central1-a/gke-1", "a3-highgpu-8g", 8, "focus",
			hourly(focus+",RegionId",
				"20,20,acct,USD,2026-11-01T00:00:00Z,Usage,A3 Instance Core running in Iowa,%H,%E,3600,seconds,Google "+
					"Cloud,,gke-1,Compute,Compute Engine,proj,us-central1")},
		"HyperPod": {"hyperpod-i-0f1", "aws:///use1-az4/sagemaker/cluster/hyperpod-tq12-i-0f1", "ml.g5.12xlarge", 4,
			"aws-cur",
			hourly(cur, "l%N,%H/%E,111111111111,2026-11-01T00:00:00Z,222222222222,Usage,%H,%E,AmazonSageMaker,RunInstance,arn:aws:sagemaker:us-east-1:222222222222:cluster/tq12,1,USD,20,ml.g5.12xlarge,Hrs")},
	} {
		for _, billFirst := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, bill first %v", name, billFirst), func(t *testing.T) {
				dir, db := t.TempDir(), emptyDatabase(t)
				samples, bill := filepath.Join(dir, "m.prom"), filepath.Join(dir, "bill.csv")
				for path, text := range map[string]string{samples: hoursOfNode(c.node, c.provider, c.kind, c.gpus), bill: c.bill} {
					if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				steps := [][]string{{"import", "openmetrics", samples, "--cluster", "c"}, {"import", c.source, bill}}
				if billFirst {
					steps[0], steps[1] = steps[1], steps[0]
				}
				for _, step := range steps {
					must(t, append(step, db)...)
					must(t, "allocate", db)
				}
				got := must(t, "report", "costs", "--group-by", "cause,team,state", "--format", "csv", db)
				// Cost, GPU-hours and used ones, and no more.
				if want := "used,nlp,open,USD,60,60,"; !strings.Contains(got, want) || strings.Count(got, "\n") != 2 ||
					!strings.Contains(got, fmt.Sprintf(",%d,%[1]d,", 3*c.gpus)) {
					t.Errorf("got\n%swant %s and %d GPU-hours", got, want, 3*c.gpus)
				}
				must(t, "verify", db)
			})
		}
	}
}
