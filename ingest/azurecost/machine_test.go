package azurecost

import (
	"fmt"
	"maps"
	"testing"

	"gpuledger/internal/ledger"
)

func TestInstanceKeys(t *testing.T) {
	set := lowGroup + "virtualmachinescalesets/aks-gpu-1-vmss"
	for _, c := range []struct{ resource, vmName, want string }{
		{lowGroup + "virtualmachines/train-1", "", lowGroup + "virtualmachines/train-1"},
		{lowGroup + "virtualmachines/train-1/", "", lowGroup + "virtualmachines/train-1"},
		{lowGroup + "virtualmachines/train-1/extensions/x", "", ""},
		{lowGroup + "virtualmachines/", "", ""},
		{set, "aks-gpu-1-vmss_7", set + "/virtualmachines/7"},
		{set, "AKS-GPU-1-VMSS_07", set + "/virtualmachines/7"},
		{set, "aks-gpu-1-vmss000010", set + "/virtualmachines/36"},
		{set, "aks-gpu-1-vmss00001z", set + "/virtualmachines/71"},
		{set, "aks-gpu-1-vmss0001", set},
		{set, "aks-gpu-1-vmss_x", set},
		{set, "other_7", set},
		{set, "", set},
		{set + "/virtualmachines/12", "aks-gpu-1-vmss_7", set + "/virtualmachines/12"},
		{lowGroup + "disks/train-1_os", "train-1", ""},
		{"/subscriptions/s/resourcegroups/r/providers/microsoft.storage/storageaccounts/a", "", ""},
		{"", "aks-gpu-1-vmss_7", ""},
	} {
		if got := instanceKey(c.resource, c.vmName); got != c.want {
			t.Errorf("%s %s: %s", c.resource, c.vmName, got)
		}
	}
	for _, providerID := range []string{
		"azure:///subscriptions/1CAAA5A3-2b66-438e-8ab4-000000000001/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu-1-vmss/virtualMachines/36",
	} {
		if keys := ledger.InstanceKeys("c", "n", providerID, ""); keys[0] != instanceKey(set, "aks-gpu-1-vmss000010") ||
			keys[1] != instanceKey(set, "") {
			t.Errorf("the node answers to %q", keys)
		}
	}
}

func TestUnits(t *testing.T) {
	for unit, want := range map[string]int64{"1 Hour": 1, "10 Hours": 1, "100 Hours": 1, "1000 Hours": 1, "Hours": 1,
		"1/Hour": 1, "1 Hour/Day": 1, "1 hora": 1, "1 小时": 1, "1 Stunde": 1,
		"1/Day": 24, "1 Day": 24, "1 Tag": 24, "1/Month": 0, "1 GB Hour": 0,
		"100 Core Hours": 0, "10K": 0, "": 0, "1 GB/Hour": 0, "0 Unassigned": 0} {
		if got, ok := hoursPer(unit); got != want || ok != (want != 0) {
			t.Errorf("%s: %d %v", unit, got, ok)
		}
	}
}

func TestRegions(t *testing.T) {
	for in, want := range map[string]string{
		"EastUS": "eastus", "East US": "eastus", "US East": "eastus", "westeurope": "westeurope",
		"EU West": "westeurope", "US West 2": "westus2", "": "", "Unknown Place": "unknownplace",
	} {
		if got := region(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
	if zone("westeurope", "2") != "westeurope-2" || zone("", "2") != "2" || zone("x", "All") != "all" ||
		zone("x", "") != "" {
		t.Error("zones")
	}
}

func TestMachineLines(t *testing.T) {
	vm := func(more cells) cells {
		c := cells{"MeterCategory": "Virtual Machines", "ResourceId": group + "virtualMachines/Train-1",
			"UnitOfMeasure": "1 Hour", "Quantity": "24", "ConsumedService": "Microsoft.Compute",
			"AdditionalInfo": `{"UsageType":"ComputeHR","ServiceType":"Standard_ND96isr_H100_v5","VMName":null,"VCPUs":96}`}
		maps.Copy(c, more)
		return base(c)
	}
	scaleSet := group + "virtualMachineScaleSets/aks-gpu-1-vmss"
	for name, c := range map[string]struct {
		row  cells
		want string // kind hours seconds type key class gpu
	}{
		"machine": {
			vm(nil), "usage true 86400 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"member": {
			vm(cells{
				"ResourceId": scaleSet, "AdditionalInfo": `{"ServiceType":"Standard_NC24ads_A100_v4","VMName":"aks-gpu-1-vmss_3"}`,
			}), "usage true 86400 Standard_NC24ads_A100_v4 " + lowGroup +
				"virtualmachinescalesets/aks-gpu-1-vmss/virtualmachines/3 on_demand false",
		},
		"without braces": {
			vm(cells{
				"ResourceId": scaleSet, "AdditionalInfo": `"ServiceType": "Standard_NC24ads_A100_v4","VMName": "aks-gpu-1-vmss_3","VCPUs": 24`,
			}), "usage true 86400 Standard_NC24ads_A100_v4 " + lowGroup +
				"virtualmachinescalesets/aks-gpu-1-vmss/virtualmachines/3 on_demand false",
		},
		"whole set": {
			vm(cells{"ResourceId": scaleSet, "AdditionalInfo": "null"}),
			"usage true 86400  " + lowGroup + "virtualmachinescalesets/aks-gpu-1-vmss on_demand false",
		},
		"part of an hour": {
			vm(cells{"Quantity": "0.433342"}),
			"usage true 1560 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"half a second": {
			vm(cells{"Quantity": "0.00013888888888888888888888888889"}),
			"usage true 1 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"block of hours": {
			vm(cells{"UnitOfMeasure": "100 Hours"}),
			"usage true 86400 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"days": {
			vm(cells{"UnitOfMeasure": "1/Day", "Quantity": "0.5"}),
			"usage true 43200 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"unknown unit": {
			vm(cells{"UnitOfMeasure": "1 Blink"}),
			"usage true - Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"taken back": {
			vm(cells{"Quantity": "-1"}),
			"usage true -3600 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"hours refunded": {
			vm(cells{"ChargeType": "Refund", "Quantity": "-1", "CostInBillingCurrency": "-5"}),
			"usage true -3600 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1  false",
		},
		"money refunded": {
			vm(cells{"ChargeType": "Refund", "Quantity": "1", "CostInBillingCurrency": "-5"}),
			"discount false -  " + lowGroup + "virtualmachines/train-1  false",
		},
		"traffic refunded": {
			vm(cells{
				"ChargeType": "Refund", "Quantity": "-1", "MeterCategory": "Bandwidth",
				"UnitOfMeasure": "1 GB", "AdditionalInfo": "", "CostInBillingCurrency": "-5",
			}), "discount false -  " + lowGroup + "virtualmachines/train-1  false",
		},
		"spot by usage type": {
			vm(cells{"AdditionalInfo": `{"UsageType":"ComputeHR_SPOT","ServiceType":"Standard_NC24ads_A100_v4"}`}),
			"usage true 86400 Standard_NC24ads_A100_v4 " + lowGroup + "virtualmachines/train-1 spot false",
		},
		"low priority": {
			vm(cells{"AdditionalInfo": `{"UsageType":"ComputeHR_LOWPRIORITY","ServiceType":"Standard_NC24ads_A100_v4"}`}),
			"usage true 86400 Standard_NC24ads_A100_v4 " + lowGroup + "virtualmachines/train-1 spot false",
		},
		"spot by meter": {
			vm(cells{"AdditionalInfo": "", "MeterName": "NC24ads A100 v4 Spot"}),
			"usage true 86400 Standard_NC24ads_A100_v4 " + lowGroup + "virtualmachines/train-1 spot false",
		},
		"meter of two sizes": {
			vm(cells{"AdditionalInfo": "", "MeterName": "D2 v2/DS2 v2"}),
			"usage true 86400  " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"licence": {
			vm(cells{"MeterCategory": "Virtual Machines Licenses"}),
			"usage false -  " + lowGroup + "virtualmachines/train-1  false",
		},
		"marketplace image": {
			vm(cells{"PublisherType": "Marketplace"}), "usage false -  " + lowGroup + "virtualmachines/train-1  false",
		},
		"no category": {
			vm(cells{"MeterCategory": "", "AdditionalInfo": ""}),
			"usage true 86400  " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"localised category": {
			vm(cells{"MeterCategory": "Virtuelle Computer"}),
			"usage true 86400 Standard_ND96isr_H100_v5 " + lowGroup + "virtualmachines/train-1 on_demand false",
		},
		"network of a machine": {
			vm(cells{
				"MeterCategory": "Bandwidth", "UnitOfMeasure": "1 GB",
				"ResourceId": scaleSet, "AdditionalInfo": `{"VmName":"aks-gpu-1-vmss_3"}`,
			}), "usage false -  " + lowGroup + "virtualmachinescalesets/aks-gpu-1-vmss/virtualmachines/3  false",
		},
		"disk": {
			vm(cells{
				"MeterCategory": "Storage", "UnitOfMeasure": "1/Month",
				"ResourceId": group + "disks/Train-1_os", "AdditionalInfo": "",
			}), "usage false -    false",
		},
		"machine learning": {
			vm(cells{
				"ResourceId": "/subscriptions/s/resourceGroups/r/providers/Microsoft.MachineLearningServices/workspaces/w",
			}), "usage false - Standard_ND96isr_H100_v5   true",
		},
		"learning without GPU": {
			vm(cells{
				"ResourceId":     "/subscriptions/s/resourceGroups/r/providers/Microsoft.MachineLearningServices/workspaces/w",
				"AdditionalInfo": `{"ServiceType":"Standard_D4s_v3"}`,
			}), "usage false - Standard_D4s_v3   false",
		},
		"serverless GPU": {
			vm(cells{
				"MeterCategory": "Azure Container Apps", "MeterName": "T4 GPU Usage",
				"ResourceId":     "/subscriptions/s/resourceGroups/r/providers/Microsoft.App/managedEnvironments/e",
				"AdditionalInfo": "",
			}), "usage false -    true",
		},
		"empty reservation": {
			vm(cells{
				"ResourceId":     group + "capacityReservationGroups/g/capacityReservations/c",
				"AdditionalInfo": `{"ServiceType":"Standard_ND96isr_H100_v5","UsageType":"ComputeCR"}`,
			}), "commitment_fee false - Standard_ND96isr_H100_v5   false",
		},
		"reservation bought": {
			base(cells{
				"ChargeType": "Purchase", "PricingModel": "Reservation",
				"ProductOrderName": "Reserved VM Instance, Standard_ND96isr_H100_v5, EU West, 3 Years",
			}), "commitment_fee false - Standard_ND96isr_H100_v5  reserved false",
		},
	} {
		t.Run(name, func(t *testing.T) {
			ch, _, tally := one(t, "x.csv", c.row)
			seconds := "-"
			if ch.InstanceSeconds != nil {
				seconds = fmt.Sprint(*ch.InstanceSeconds)
			}
			if got := fmt.Sprint(ch.Kind, " ", ch.InstanceHours, " ", seconds, " ", ch.InstanceType, " ", ch.InstanceID, " ",
				ch.PriceClass, " ", ch.BillsGPU); got != c.want {
				t.Errorf("\n%s, want\n%s", got, c.want)
			}
			if noted := tally.Noted[`machine time in "1 Blink", which is not a unit of time`]; (noted == 1) != (name == "unknown unit") {
				t.Errorf("%v", tally.Noted)
			}
		})
	}
}

func TestServices(t *testing.T) {
	c, _, _ := one(t, "x.csv", base(cells{"MeterCategory": "Containerdienst",
		"ConsumedService": "Microsoft.ContainerService", "ResourceLocation": "EU West", "AvailabilityZone": "1",
		"ResourceId": "/subscriptions/s/resourceGroups/r/providers/Microsoft.ContainerService/managedClusters/aks",
		"MeterName":  "Standard Uptime SLA", "Tags": `"team": "speech","empty": ""`}))
	if !ledger.ControlPlane(&c) || c.ServiceCode != "microsoft.containerservice" || c.Region != "westeurope" ||
		c.Zone != "westeurope-1" || fmt.Sprint(c.Tags) != "map[team:speech]" {
		t.Errorf("%+v", c)
	}
	c, _, tally := one(t, "x.csv", base(cells{
		"Tags": "team=speech", "AdditionalInfo": "{}", "ResourceId": "NULL", "InstanceName": "a name",
	}))
	if len(c.Tags) != 0 || c.ResourceID != "" ||
		tally.Noted["Tags that are neither JSON nor the inside of a JSON object"] != 1 {
		t.Errorf("%+v %v", c, tally.Noted)
	}
	if c, _, _ = one(t, "x.csv", base(cells{"InstanceName": group + "disks/D"})); c.ResourceID != group+"disks/D" {
		t.Errorf("%q", c.ResourceID)
	}
}

// Only time of GPU machines, and of unknown machines, is spotted.
func TestSpotter(t *testing.T) {
	for size, want := range map[string]bool{
		"Standard_ND96isr_H100_v5": true, "Standard_D4s_v3": false, "Standard_ND512_X900_v9": true, "": true,
	} {
		s, refused := newSchema("x", []string{
			"MeterCategory", "ResourceId", "AdditionalInfo", "BillingAccountId", "Date", "Cost", "Currency",
		})
		if refused != nil {
			t.Fatal(refused)
		}
		b := newBinding(s, found{})
		row := textRow{
			"Virtual Machines", group + "virtualMachines/m", `{"ServiceType":"` + size + `"}`, "1", "2026-09-01", "1", "USD",
		}
		if got := b.Machine(row); (got != "") != want {
			t.Errorf("%s: %q", size, got)
		}
	}
}
