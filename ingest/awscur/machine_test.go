package awscur

import (
	"fmt"
	"testing"
)

// TestInstancesWithoutUsageTypes: in an export without usage types, units, types and
// descriptions decide which lines bill an instance itself.
func TestInstancesWithoutUsageTypes(t *testing.T) {
	for name, c := range map[string]struct {
		row  cells
		want string // key, bills the machine, seconds
	}{
		"by unit": {cells{"pricing_unit": "Hrs"}, "i-0a true 3600"},
		"by type": {cells{"product_instance_type": "p5.48xlarge"}, "i-0a true 3600"},
		"by description": {
			cells{"line_item_line_item_description": "$55.04 per On Demand Linux p5.48xlarge Instance Hour"}, "i-0a true 3600",
		},
		"by operation": {cells{"line_item_operation": "RunInstances"}, "i-0a true 3600"},
		"traffic":      {cells{"pricing_unit": "GB", "line_item_operation": "RunInstances"}, "i-0a false -"},
		"traffic in words": {
			cells{
				"line_item_line_item_description": "$0.090 per GB - first 10 TB / month data transfer out",
				"line_item_operation":             "RunInstances",
			}, "i-0a false -",
		},
		"EBS-optimised": {
			cells{"line_item_line_item_description": "$0.05 per EBS-optimized Instance Hour", "pricing_unit": "Hrs"},
			"i-0a false -",
		},
		"more than its time": {cells{"line_item_operation": "RunInstances", "line_item_usage_amount": "17"}, "i-0a false -"},
		"no machine":         {cells{"line_item_resource_id": "vol-1", "pricing_unit": "Hrs"}, " false -"},
		"refund of hours": {
			cells{
				"line_item_line_item_type": "Refund", "line_item_usage_type": "BoxUsage:p5.48xlarge",
				"line_item_usage_amount": "-0.5", "line_item_unblended_cost": "-1",
			}, "i-0a true -1800",
		},
		"refund of money": {
			cells{
				"line_item_line_item_type": "Refund", "line_item_usage_type": "BoxUsage:p5.48xlarge",
				"line_item_usage_amount": "1", "line_item_unblended_cost": "-1",
			}, "i-0a true -",
		},
		"refund of traffic": {
			cells{
				"line_item_line_item_type": "Refund", "line_item_usage_type": "DataTransfer-Out-Bytes",
				"line_item_usage_amount": "-1", "line_item_unblended_cost": "-1",
			}, "i-0a false -",
		},
		"tax on a machine": {
			cells{"line_item_line_item_type": "Tax", "line_item_usage_type": "BoxUsage:p5.48xlarge", "pricing_unit": "Dollars"},
			"i-0a true -",
		},
		"tax on traffic": {
			cells{"line_item_line_item_type": "Tax", "line_item_usage_type": "DataTransfer-Out-Bytes"}, "i-0a false -",
		},
		"another usage type": {cells{"line_item_usage_type": "CPUCredits:t3", "pricing_unit": "Hrs"}, "i-0a false -"},
		"HyperPod": {cells{"line_item_resource_id": "arn:aws:sagemaker:us-east-1:2:cluster/tq12",
			"line_item_usage_type": "USE1-Cluster:ml.g5.12xlarge"},
			"hyperpod/tq12/ml.g5.12xlarge true 3600"},
		"HyperPod without usage types": {cells{"line_item_resource_id": "arn:aws:sagemaker:us-east-1:2:cluster/tq12",
			"product_instance_type": "ml.g5.12xlarge"},
			"hyperpod/tq12/ml.g5.12xlarge true 3600"},
	} {
		row := base(cells{
			"line_item_resource_id":  "arn:aws:ec2:us-east-1:1:instance/i-0a",
			"line_item_usage_amount": "1", "line_item_product_code": "Any",
		})
		for k, v := range c.row {
			row[k] = v
		}
		ch, _, _ := one(t, row)
		seconds := "-"
		if ch.InstanceSeconds != nil {
			seconds = fmt.Sprint(*ch.InstanceSeconds)
		}
		if got := fmt.Sprint(ch.InstanceID, " ", ch.InstanceHours, " ", seconds); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
