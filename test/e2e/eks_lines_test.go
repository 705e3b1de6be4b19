package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// EKS's charge for managing a machine belongs to that machine, a control plane is shared if its cluster has GPU
// machines, and pods without fleet machines are outside the fleet. Two hours:
//
//	g5.xlarge 2 × 1.00, managing it 2 × 0.12    2.24 of the machine
//	control plane of prod, whose machine it is  0.20 shared
//	m5.4xlarge 2 × 0.80, managing it 2 × 0.10   1.80
//	Fargate pods of prod                        0.50
//	control plane of a cluster without GPUs     0.30 outside: 2.60
func TestLinesOfEKSFollowTheirMachineOrCluster(t *testing.T) {
	db, dir := emptyDatabase(t), t.TempDir()
	var b strings.Builder
	b.WriteString("# TYPE kube_node_info gauge\n")
	for minute := range 120 {
		fmt.Fprintf(&b, "kube_node_info{node=\"n1\",provider_id=\"aws:///us-east-1a/i-0a\"} 1 %d\n", 1793577600+60*minute)
	}
	telemetry := filepath.Join(dir, "m.om")
	if err := os.WriteFile(telemetry, []byte(b.String()+"# EOF\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	b.WriteString("line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,bill_payer_account_id,bill_billing_period_start_date," +
		"bill_billing_period_end_date,line_item_usage_account_id,line_item_product_code,line_item_usage_type,line_item_resource_id,line_item_usage_amount," +
		"line_item_currency_code,line_item_unblended_cost,pricing_unit,product_instance_type,product_region_code\n")
	line := func(hour int, product, usage, resource, cost, machine string) {
		fmt.Fprintf(&b, "Usage,2026-11-02T%02d:00:00Z,2026-11-02T%02d:00:00Z,1,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z,2,%s,%s,%s,1,USD,%s,Hrs,%s,us-east-1\n",
			hour, hour+1, product, usage, resource, cost, machine)
	}
	const arn = "arn:aws:ec2:us-east-1:2:instance/"
	for hour := range 2 {
		line(hour, "AmazonEC2", "BoxUsage:g5.xlarge", "i-0a", "1.00", "g5.xlarge")
		line(hour, "AmazonEKS", "USE1-EKS-Auto:g5.xlarge-management-hours", arn+"i-0a", "0.12", "g5.xlarge")
		line(hour, "AmazonEC2", "BoxUsage:m5.4xlarge", "i-0c", "0.80", "m5.4xlarge")
		line(hour, "AmazonEKS", "USE1-EKS-Auto:m5.4xlarge-management-hours", arn+"i-0c", "0.10", "m5.4xlarge")
		line(hour, "AmazonEKS", "USE1-AmazonEKS-Hours:perCluster", "arn:aws:eks:us-east-1:2:cluster/prod", "0.10", "")
		line(hour, "AmazonEKS", "USE1-AmazonEKS-Hours:perCluster", "arn:aws:eks:us-east-1:2:cluster/web", "0.15", "")
		line(hour, "AmazonEKS", "USE1-Fargate-vCPU-Hours:perCPU", "arn:aws:eks:us-east-1:2:pod/prod/default/p/1", "0.25", "")
	}
	bill := filepath.Join(dir, "cur.csv")
	if err := os.WriteFile(bill, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, db, "import", "openmetrics", telemetry, "--cluster=prod")
	must(t, db, "import", "aws-cur", bill)
	must(t, db, "allocate")
	got := must(t, db, "report", "costs", "--group-by=cause", "--columns=cause,effective_cost,capacity_gpu_hours",
		"--order=cause", "--format=csv")
	sums := map[string]string{}
	for _, row := range strings.Fields(got)[1:] {
		cause, cost, _ := strings.Cut(row, ",")
		sums[cause] = cost
	}
	if len(sums) != 3 || !strings.HasPrefix(sums["free"], "2.24,") || !strings.HasPrefix(sums["shared"], "0.2,") ||
		!strings.HasPrefix(sums["non_gpu"], "2.6,") {
		t.Errorf("costs are\n%s", got)
	}
}
