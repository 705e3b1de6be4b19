package focus

import (
	"fmt"
	"testing"
)

// TestMachinesThatOnlyAnIdNames: rows without a type or number of GPUs belong to a machine if
// their use shows it, and carry no more time than their charge period.
func TestMachinesThatOnlyAnIdNames(t *testing.T) {
	bare := cells{
		"SkuPriceDetails": "", "ResourceId": "node-0011",
		"ServiceCategory": "Compute", "ChargeDescription": "H100 SXM 8x node",
	}
	with := func(more cells) cells {
		out := cells{}
		for _, set := range []cells{bare, more} {
			for k, v := range set {
				out[k] = v
			}
		}
		return out
	}
	const arn = "arn:aws:sagemaker:us-east-1:1:cluster/tq12"
	for name, c := range map[string]struct {
		row  cells
		want string // key, alias, bills the machine, seconds
	}{
		"hours": {bare, "node-0011  true 3600"},
		"a quarter of an hour": {
			with(cells{"ConsumedQuantity": "15", "ConsumedUnit": "Minutes"}), "node-0011  true 900",
		},
		"an id and a name": {
			with(cells{"ResourceId": "0b1c", "ResourceName": "node-0011"}), "0b1c node-0011 true 3600",
		},
		"a name alone": {with(cells{"ResourceId": "", "ResourceName": "node-0011"}), "node-0011  true 3600"},
		"priced by the hour": {
			with(cells{"ConsumedUnit": "Units", "PricingQuantity": "0.5", "PricingUnit": "Hours"}), "node-0011  true 1800",
		},
		"a qualified name in capitals": {
			with(cells{"ResourceId": "0B1C", "ResourceName": "Node-0011.eu.example.com"}),
			"0b1c node-0011.eu.example.com true 3600",
		},
		"a pool of nodes": {
			with(cells{"ResourceId": "NP-1", "ResourceName": "H100-Pool", "ResourceType": "Node Pool", "ConsumedQuantity": "2"}),
			"pool/np-1 pool/h100-pool true 7200",
		},
		"a pool, in words": {
			with(cells{"ResourceId": "np-1", "ChargeDescription": "Nodegroup H100"}), "pool/np-1  true 3600",
		},
		"hours of a card": {
			with(cells{"ConsumedQuantity": "8", "ConsumedUnit": "H100 Hours"}), "node-0011  true -",
		},
		"GPU-hours of unknown GPUs": {
			with(cells{"ConsumedQuantity": "4", "ConsumedUnit": "GPU PER HOUR"}), "node-0011  true -",
		},
		"GPU-hours of 8 GPUs": {
			with(cells{"ConsumedQuantity": "8", "ConsumedUnit": "GPU-Hours", "SkuPriceDetails": `{"GpuCount":8}`}),
			"node-0011  true 3600",
		},
		"its cores": {
			with(cells{"ConsumedQuantity": "128", "ConsumedUnit": "OCPU Hours"}), "node-0011  true -",
		},
		"no quantity": {with(cells{"ConsumedQuantity": "", "ConsumedUnit": ""}), "node-0011  true 3600"},
		"no quantity, of a day": {
			with(cells{"ConsumedQuantity": "", "ConsumedUnit": "", "ChargePeriodEnd": "2026-10-06 10:00:00"}),
			"node-0011  true -",
		},
		"no category, no quantity": {
			with(cells{
				"ConsumedQuantity": "", "ConsumedUnit": "", "ServiceCategory": "", "ServiceName": "x", "ChargeDescription": "fee",
			}), "node-0011  false -",
		},
		"its disk": {
			with(cells{"ServiceCategory": "Storage", "ConsumedUnit": "GB-Hours"}), "node-0011  false -",
		},
		"its disk by the hour": {with(cells{"ResourceType": "Boot Volume"}), "node-0011  false -"},
		"its disk in words": {
			with(cells{"ServiceCategory": "", "ChargeDescription": "Block volume of node-0011"}), "node-0011  false -",
		},
		"its network": {
			with(cells{"ServiceCategory": "Networking", "ChargeDescription": "Public IPv4 address"}), "node-0011  false -",
		},
		"its traffic": {
			with(cells{"ServiceCategory": "", "ChargeDescription": "Egress", "ConsumedUnit": "GB"}), "node-0011  false -",
		},
		"its memory": {with(cells{"ConsumedUnit": "GiB Hours"}), "node-0011  false -"},
		"a licence":  {with(cells{"ChargeDescription": "Software licence"}), "node-0011  false -"},
		"EC2": {
			with(cells{"ProviderName": "AWS", "ResourceId": "arn:aws:ec2:us-east-1:1:instance/i-0a", "ConsumedUnit": "Hrs"}),
			"i-0a  true 3600",
		},
		"EC2, EBS-optimised": {
			with(cells{
				"ProviderName": "AWS", "ResourceId": "i-0a", "x_UsageType": "EBSOptimized:p3.2xlarge", "ConsumedUnit": "Hrs",
			}), "i-0a  false -",
		},
		"Azure, any case": {
			with(cells{
				"ProviderName": "Microsoft",
				"ResourceId":   "/subscriptions/S/resourceGroups/R/providers/Microsoft.Compute/virtualMachines/VM",
			}), "/subscriptions/s/resourcegroups/r/providers/microsoft.compute/virtualmachines/vm  true 3600",
		},
		"Google, without the host": {
			with(cells{"ProviderName": "Google Cloud", "ResourceId": "projects/p/zones/us-c1-a/instances/n"}),
			"gce/p/us-c1-a/n  true 3600",
		},
		"GPUs of Google": {with(cells{"ProviderName": "Google Cloud", "ResourceId": "projects/p/zones/us-c1-a/instances/n",
			"ConsumedQuantity": "28800", "ConsumedUnit": "seconds",
			"ChargeDescription": "Nvidia H100 80GB GPU running in Iowa"}), "gce/p/us-c1-a/n  true -"},
		"GPUs of Google's machine type": {with(cells{"ProviderName": "Google Cloud",
			"ResourceId": "projects/p/zones/us-c1-a/instances/n", "ConsumedQuantity": "28800", "ConsumedUnit": "seconds",
			"ChargeDescription": "Nvidia H100 80GB GPU running in Iowa",
			"SkuPriceDetails":   `{"InstanceType":"a3-highgpu-8g"}`}), "gce/p/us-c1-a/n  true 3600"},
		"cores of Google": {with(cells{"ProviderName": "Google Cloud", "ResourceId": "projects/p/zones/us-c1-a/instances/n",
			"ConsumedQuantity": "748800", "ConsumedUnit": "seconds",
			"ChargeDescription": "A3 Instance Core running in Iowa"}), "gce/p/us-c1-a/n  true -"},
		"Google, by name": {with(cells{"ProviderName": "Google Cloud", "ResourceId": "", "ResourceName": "n",
			"SubAccountId": "p", "AvailabilityZone": "us-c1-a",
			"ServiceName": "Compute Engine", "ConsumedQuantity": "748800", "ConsumedUnit": "seconds",
			"ChargeDescription": "A3 Instance Core running in Iowa"}), "gce/p/us-c1-a/n  true -"},
		"Google, by name and region": {with(cells{"ProviderName": "Google Cloud", "ResourceId": "",
			"ResourceName": "projects/p/instances/n", "SubAccountId": "p", "RegionId": "us-c1",
			"ServiceName": "Compute Engine", "ConsumedQuantity": "748800", "ConsumedUnit": "seconds",
			"ChargeDescription": "A3 Instance Core running in Iowa"}), "gce-region/p/us-c1/n  true -"},
		"Google, by number": {with(cells{"ProviderName": "Google Cloud", "ResourceId": "8231", "SubAccountId": "p",
			"RegionId":    "us-c1",
			"ServiceName": "Compute Engine", "ConsumedQuantity": "748800", "ConsumedUnit": "seconds",
			"ChargeDescription": "A3 Instance Core running in Iowa"}), "gce/8231  true -"},
		"Google, a reservation": {with(cells{"ProviderName": "Google Cloud",
			"ResourceId": "projects/p/zones/us-c1-a/reservations/n", "SubAccountId": "p", "RegionId": "us-c1",
			"ServiceName": "Compute Engine", "ConsumedQuantity": "748800", "ConsumedUnit": "seconds",
			"ChargeDescription": "A3 Instance Core running in Iowa"}), "  false -"},
		"Google, a disk of that name": {with(cells{"ProviderName": "Google Cloud", "ResourceId": "", "ResourceName": "n",
			"SubAccountId": "p", "AvailabilityZone": "us-c1-a",
			"ServiceName": "Compute Engine", "ConsumedUnit": "GiB-hours",
			"ChargeDescription": "Storage PD Capacity"}), "  false -"},
		"a bucket of Google": {
			with(cells{"ProviderName": "Google Cloud", "ResourceId": "projects/p/buckets/b"}), "  false -",
		},
		"HyperPod": {
			with(cells{
				"ProviderName": "AWS", "ServiceName": "Amazon SageMaker", "ResourceId": arn,
				"x_UsageType": "USE1-Cluster:ml.g5.12xlarge", "ConsumedUnit": "Hrs",
			}), "hyperpod/tq12/ml.g5.12xlarge  true 3600",
		},
		"HyperPod, in words": {with(cells{"ProviderName": "AWS", "ServiceName": "Amazon SageMaker", "ResourceId": arn,
			"ConsumedUnit":      "Hrs",
			"ChargeDescription": "$7.09 per hour for SageMaker Cluster ml.g5.12xlarge in US East"}),
			"hyperpod/tq12/ml.g5.12xlarge  true 3600"},
		"another thing of SageMaker's": {
			with(cells{
				"ProviderName": "AWS", "ServiceName": "Amazon SageMaker", "ResourceId": "arn:aws:sagemaker:us-east-1:1:endpoint/e",
				"x_UsageType": "USE1-Host:ml.g5.12xlarge", "ConsumedUnit": "Hrs",
			}), "  false -",
		},
	} {
		ch := one(t, c.row)
		seconds := "-"
		if ch.InstanceSeconds != nil {
			seconds = fmt.Sprint(*ch.InstanceSeconds)
		}
		if got := fmt.Sprint(ch.InstanceID, " ", ch.InstanceAlias, " ", ch.InstanceHours, " ", seconds); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestPreviewColumns: Oracle writes the columns of the preview of FOCUS 1.0.
func TestPreviewColumns(t *testing.T) {
	row := cells{"ProviderName": "", "Provider": "Oracle", "RegionId": "", "Region": "us-ashburn-1", "UsageQuantity": "4",
		"UsageUnit":  "GPU PER HOUR",
		"ResourceId": "ocid1.instance.oc1.iad.a", "SkuPriceDetails": ""}
	delete(usual, "ProviderName")
	defer func() { usual["ProviderName"] = "CoreWeave" }()
	delete(row, "ProviderName")
	delete(row, "RegionId")
	for _, c := range []string{"ConsumedQuantity", "ConsumedUnit"} {
		v := usual[c]
		delete(usual, c)
		defer func() { usual[c] = v }()
	}
	ch := one(t, row)
	if ch.Provider != "oracle" || ch.Region != "us-ashburn-1" || ch.UsageUnit != "GPU PER HOUR" ||
		ch.UsageAmount.String() != "4" || !ch.BillsGPU || !ch.InstanceHours || ch.InstanceID != "ocid1.instance.oc1.iad.a" {
		t.Errorf("%+v", ch)
	}
}
