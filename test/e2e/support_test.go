package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Support is billed on the provider's own products: software of its marketplace is not in the base that cuts it. A
// machine with GPUs for 30, storage for 10, software of others for 20: of 4 for support the fleet has 4 × 30 ÷ 40 = 3.
func TestSupportLeavesTheMarketplaceOut(t *testing.T) {
	cur := "line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,bill_payer_account_id,bill_billing_period_start_date," +
		"bill_billing_period_end_date,bill_billing_entity,line_item_usage_account_id,line_item_product_code,line_item_usage_type,line_item_resource_id," +
		"line_item_usage_amount,line_item_currency_code,line_item_unblended_cost,pricing_unit,product_instance_type,product_region_code\n"
	for _, l := range []string{
		"AWS,2,AmazonEC2,BoxUsage:g5.xlarge,i-0a,1,USD,30,Hrs,g5.xlarge",
		"AWS,2,AmazonS3,TimedStorage-ByteHrs,bucket,1,USD,10,GB-Mo,",
		"AWS Marketplace,2,7k2b9vendor,SoftwareUsage:g5.xlarge,i-0zz,1,USD,20,Units,",
		"AWS,2,AWSSupportBusiness,Dollar,,1,USD,4,Dollar,",
	} {
		cur += "Usage,2026-11-02T00:00:00Z,2026-11-02T01:00:00Z,1,2026-11-01T00:00:00Z,2026-12-01T00:00:00Z," + l +
			",us-east-1\n"
	}
	azure := "BillingAccountId,BillingPeriodStartDate,BillingPeriodEndDate,SubscriptionId,Date,Product,MeterCategory,MeterName,Quantity,EffectivePrice,Cost,BillingCurrency," +
		"ResourceLocation,ConsumedService,ResourceId,AdditionalInfo,UnitOfMeasure,ChargeType,Frequency,PublisherType,PricingModel\n"
	const sub = "/subscriptions/1caaa5a3-2b66-438e-8ab4-bce37d518c5d/resourceGroups/g/providers/"
	for _, l := range []string{
		"Virtual Machines,Virtual Machines,NC24ads A100 v4,1,30,30,USD,eastus,Microsoft.Compute," + sub +
			`Microsoft.Compute/virtualMachines/vm1,"{""UsageType"":""ComputeHR"",""ServiceType"":""Standard_NC24ads_A100_v4""}",1 Hour,Usage,UsageBased,Azure,OnDemand`,
		"Blob,Storage,Hot LRS,1,10,10,USD,eastus,Microsoft.Storage," + sub +
			"Microsoft.Storage/storageAccounts/s,,1 GB,Usage,UsageBased,Azure,OnDemand",
		"Vendor software,Virtual Machine Licenses,Vendor,1,20,20,USD,eastus,Microsoft.SaaS," + sub +
			"Microsoft.SaaS/resources/v,,1 Hour,Usage,UsageBased,Marketplace,OnDemand",
		"Azure Support - Standard,Azure " +
			"Support,Standard,1,4,4,USD,,Microsoft.Support,,,1/Month,Purchase,Recurring,Azure,OnDemand",
	} {
		azure += "8611537,11/01/2026,11/30/2026,1caaa5a3-2b66-438e-8ab4-bce37d518c5d,11/02/2026," + l + "\n"
	}
	for source, bill := range map[string]string{"aws-cur": cur, "azure-cost": azure} {
		t.Run(source, func(t *testing.T) {
			db, path := emptyDatabase(t), filepath.Join(t.TempDir(), "bill.csv")
			if err := os.WriteFile(path, []byte(bill), 0o600); err != nil {
				t.Fatal(err)
			}
			must(t, db, "import", source, path)
			must(t, db, "allocate")
			got := must(t, db, "report", "costs", "--group-by=cause", "--basis=billed", "--columns=cause,billed_cost",
				"--order=cause", "--format=csv")
			if !strings.Contains(got, "\nshared,3\r") && !strings.Contains(got, "\nshared,3\n") ||
				!strings.Contains(got, "non_gpu,31") {
				t.Errorf("costs are\n%s", got)
			}
		})
	}
}
