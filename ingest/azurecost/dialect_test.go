package azurecost

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"gpuledger/internal/ledger"
	"gpuledger/test/billtest"
)

// Headers as Microsoft documents them, in the order of the file.
const (
	headerEA = `InvoiceSectionName,AccountName,AccountOwnerId,SubscriptionId,SubscriptionName,ResourceGroup,ResourceLocation,Date,ProductName,MeterCategory,MeterSubCategory,MeterId,MeterName,MeterRegion,UnitOfMeasure,Quantity,EffectivePrice,CostInBillingCurrency,CostCenter,ConsumedService,ResourceId,Tags,OfferId,AdditionalInfo,ServiceInfo1,ServiceInfo2,ResourceName,ReservationId,ReservationName,UnitPrice,ProductOrderId,ProductOrderName,Term,PublisherType,PublisherName,ChargeType,Frequency,PricingModel,AvailabilityZone,BillingAccountId,BillingAccountName,BillingCurrencyCode,BillingPeriodStartDate,BillingPeriodEndDate,BillingProfileId,BillingProfileName,InvoiceSectionId,IsAzureCreditEligible,PartNumber,PayGPrice,PlanName,ServiceFamily,CostAllocationRuleName,benefitId,benefitName,AccountId,ResourceLocationNormalized`
	headerMC = `invoiceId,previousInvoiceId,billingAccountId,billingAccountName,billingProfileId,billingProfileName,invoiceSectionId,invoiceSectionName,resellerName,resellerMpnId,costCenter,billingPeriodEndDate,billingPeriodStartDate,servicePeriodEndDate,servicePeriodStartDate,date,serviceFamily,productOrderId,productOrderName,consumedService,meterId,meterName,meterCategory,meterSubCategory,meterRegion,ProductId,ProductName,SubscriptionId,subscriptionName,publisherType,publisherId,publisherName,resourceGroupName,ResourceId,resourceLocation,location,effectivePrice,quantity,unitOfMeasure,chargeType,billingCurrency,pricingCurrency,costInBillingCurrency,costInPricingCurrency,costInUsd,paygCostInBillingCurrency,paygCostInUsd,exchangeRatePricingToBilling,exchangeRateDate,isAzureCreditEligible,serviceInfo1,serviceInfo2,additionalInfo,tags,PayGPrice,frequency,term,reservationId,reservationName,pricingModel,unitPrice,costAllocationRuleName,benefitId,benefitName,provider`
	headerGo = `SubscriptionGuid,ResourceGroup,ResourceLocation,UsageDateTime,MeterCategory,MeterSubcategory,MeterId,MeterName,MeterRegion,UsageQuantity,ResourceRate,PreTaxCost,ConsumedService,ResourceType,InstanceId,Tags,OfferId,AdditionalInfo,ServiceInfo1,ServiceInfo2,ServiceName,ServiceTier,Currency,UnitOfMeasure`
	headerDE = `Abonnement-GUID (SubscriptionGuid),Ressourcengruppe (ResourceGroup),Ressourcenstandort (ResourceLocation),UsageDateTime (UsageDateTime),Kategorie der Verbrauchseinheit (MeterCategory),MeterSubcategory (MeterSubcategory),ID der Verbrauchseinheit (MeterId),Name der Verbrauchseinheit (MeterName),Region der Verbrauchseinheit (MeterRegion),UsageQuantity (UsageQuantity),Ressourcensatz (ResourceRate),PreTaxCost (PreTaxCost),Genutzter Dienst (ConsumedService),ResourceType (ResourceType),InstanceId (InstanceId),Tags (Tags),OfferId (OfferId),Zusätzliche Informationen (AdditionalInfo),Dienstinformation 1 (ServiceInfo1),Dienstinformation 2 (ServiceInfo2),ServiceName,ServiceTier,Currency,Maßeinheit (UnitOfMeasure)`
	headerZH = `订阅 GUID (SubscriptionGuid),资源组 (ResourceGroup),使用日期 (UsageDateTime),类别 (MeterCategory),计量器 (MeterName),已用数量 (UsageQuantity),税前成本 (PreTaxCost),服务 (ConsumedService),实例 (InstanceId),附加信息 (AdditionalInfo),货币 (Currency),度量单位 (UnitOfMeasure)`
)

// sheetAs writes one row under a header as it is.
func sheetAs(t *testing.T, path, before, header string, values map[string]string) {
	t.Helper()
	record := []string{}
	for name := range strings.SplitSeq(header, ",") {
		v := ""
		for k, value := range values {
			if k == canonicalName(name) {
				v = value
			}
		}
		record = append(record, `"`+strings.ReplaceAll(v, `"`, `""`)+`"`)
	}
	write(t, path, before+header+"\r\n"+strings.Join(record, ",")+"\r\n")
}

// The same machine day reads the same from every dialect.
func TestDialects(t *testing.T) {
	const key = lowGroup + "virtualmachinescalesets/aks-gpu-1-vmss/virtualmachines/3"
	machine := map[string]string{
		"subscriptionid": subscription, "subscriptionguid": subscription, "date": "09/02/2026",
		"usagedatetime": "2026-09-02", "metercategory": "Virtual Machines", "metername": "NC24ads A100 v4",
		"unitofmeasure": "1 Hour", "quantity": "24", "usagequantity": "24",
		"costinbillingcurrency": "88.152", "pretaxcost": "88.152", "consumedservice": "Microsoft.Compute",
		"resourceid":       group + "virtualMachineScaleSets/aks-gpu-1-vmss",
		"instanceid":       group + "virtualMachineScaleSets/aks-gpu-1-vmss",
		"additionalinfo":   `{"ServiceType":"Standard_NC24ads_A100_v4","VMName":"aks-gpu-1-vmss_3","UsageType":"ComputeHR"}`,
		"tags":             `"team": "speech"`,
		"billingaccountid": "8611", "billingprofileid": "IM4X-BG7-PGB", "billingcurrencycode": "EUR",
		"billingcurrency": "EUR", "currency": "EUR", "pricingcurrency": "EUR",
		"billingperiodstartdate": "09/01/2026", "billingperiodenddate": "09/30/2026",
		"chargetype": "Usage", "pricingmodel": "OnDemand",
		"resourcelocation": "EU West", "unitprice": "3.673", "paygprice": "4", "paygcostinbillingcurrency": "96",
	}
	for name, c := range map[string]struct {
		before, header string
		scope          string
		costs, region  string
	}{
		"Enterprise Agreement": {"", headerEA, "8611", "88.152 88.152 96 88.152", "westeurope"},
		"byte order mark":      {"\ufeff", headerEA, "8611", "88.152 88.152 96 88.152", "westeurope"},
		"Microsoft Customer":   {"", headerMC, "IM4X-BG7-PGB", "88.152 88.152 96 88.152", "westeurope"},
		"upper case": {
			"", strings.ToUpper(headerMC), "IM4X-BG7-PGB", "88.152 88.152 96 88.152", "westeurope",
		},
		"pay as you go": {"", headerGo, account, "88.152 88.152 null null", "westeurope"},
		"German":        {"", headerDE, account, "88.152 88.152 null null", "westeurope"},
		"Chinese":       {"", headerZH, account, "88.152 88.152 null null", ""},
		"title lines": {
			"Usage details\r\n\r\n\"Period\",\"2026-09\"\r\n", headerGo, account, "88.152 88.152 null null", "westeurope",
		},
		"title lines behind a mark": {
			"\ufeffNutzungsdetails\r\n", headerDE, account, "88.152 88.152 null null", "westeurope",
		},
		"spaces between words": {
			"", "Subscription Id,Billing Account Id,Usage Date,Meter Category,Meter Name,Unit Of Measure,Usage " +
				"Quantity,Cost In Billing Currency,Consumed Service,Instance Id,Additional Info,Currency,Resource Location",
			"8611", "88.152 88.152 null null", "westeurope",
		},
		"English beside German": {
			"", "subscriptionId,Ressourcenstandort (ResourceLocation),date,meterCategory,Name der Verbrauchseinheit " +
				"(MeterName),UsageQuantity " +
				"(UsageQuantity),costInBillingCurrency,consumedService,InstanceName,additionalInfo,Currency,Maßeinheit " +
				"(UnitOfMeasure)", account, "88.152 88.152 null null", "westeurope",
		},
		"columns of a loader before": {"", "_file,_line," + headerEA, "8611", "88.152 88.152 96 88.152", "westeurope"},
	} {
		t.Run(name, func(t *testing.T) {
			values := map[string]string{"instancename": machine["resourceid"], "usagedate": "2026-09-02"}
			maps.Copy(values, machine)
			if name == "English beside German" {
				values["date"] = "2026-09-02"
			}
			p := filepath.Join(t.TempDir(), "part_0_0001.csv")
			sheetAs(t, p, c.before, c.header, values)
			files := billtest.List(t, p)
			r, err := readAll(t, files)
			if err != nil {
				t.Fatal(err)
			}
			if r.Tally.RejectedRows() > 0 {
				t.Fatalf("%+v", r.Tally.First)
			}
			r.Check(t)
			ch, d := r.Charges[0][0], r.Deliveries[0]
			if !Format.Looks(strings.Split(c.header, ",")) {
				t.Error("not recognised")
			}
			if got := costs(ch); got != c.costs || d.Scope != c.scope || d.Partition != "2026-09" || ch.Account != account ||
				ch.Currency != "EUR" || ch.Region != c.region {
				t.Errorf("%s %s %s %s %s %s", got, d.Scope, d.Partition, ch.Account, ch.Currency, ch.Region)
			}
			if ch.InstanceID != key || ch.InstanceSeconds == nil || *ch.InstanceSeconds != 86400 ||
				ch.InstanceType != "Standard_NC24ads_A100_v4" {
				t.Errorf("%+v", ch)
			}
			if slices.Contains(d.Columns, "file") {
				t.Errorf("%q", d.Columns)
			}
		})
	}
}

func TestLooks(t *testing.T) {
	for header, want := range map[string]bool{
		headerEA: true, headerMC: true, headerGo: true, headerDE: true, headerZH: true,
		"subscriptionid,billingaccountid,UsageDateTime,MeterCategory,costinbillingcurrency,ConsumedService,InstanceId,Tags,AdditionalInfo": true,
		"BilledCost,EffectiveCost,ChargePeriodStart,ResourceId,x_SkuMeterId,SubscriptionId,MeterCategory,MeterName,ConsumedService":        false,
		"lineItem/UnblendedCost,bill/PayerAccountId,product/region":                                                                        false,
		"billing_account_id,service.id,sku.id,usage_start_time,cost,currency":                                                              false,
		"Title,Something,Else": false, "": false,
	} {
		if got := Format.Looks(strings.Split(header, ",")); got != want {
			t.Errorf("%.50s: %v", header, got)
		}
	}
}

// What is missing is refused by name and with the names it could have.
func TestMissingColumns(t *testing.T) {
	for gone, want := range map[string]string{
		"CostInBillingCurrency": "CostInBillingCurrency or Cost or PreTaxCost", "Date": "Date or UsageDateTime",
		"BillingCurrencyCode": "BillingCurrencyCode or BillingCurrency or Currency",
		"SubscriptionId BillingAccountId BillingProfileId": "BillingAccountId or BillingProfileId or SubscriptionGuid or " +
			"SubscriptionId",
	} {
		var names []string
		for n := range strings.SplitSeq(headerEA, ",") {
			if !slices.Contains(strings.Fields(gone), n) {
				names = append(names, n)
			}
		}
		p := filepath.Join(t.TempDir(), "a.csv")
		write(t, p, strings.Join(names, ",")+"\n")
		_, err := readAll(t, billtest.List(t, p))
		if err == nil || !strings.Contains(err.Error(), "missing required column") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", gone, err)
		}
	}
}

// A Parquet file with real types reads like the CSV file of the same rows.
func TestTypedParquet(t *testing.T) {
	root := t.TempDir()
	sheet(t, filepath.Join(root, "a.csv"), base(cells{
		"Quantity": "23.5", "UnitPrice": "3.673", "IsAzureCreditEligible": "True", "BillingPeriodStartDate": "2026-09-01",
		"BillingPeriodEndDate": "2026-09-30", "Date": "2026-09-02", "CostInBillingCurrency": "86.3155", "Tags": `"a": "1"`,
	}))
	fields := []arrow.Field{
		{Name: "BillingAccountId", Type: arrow.BinaryTypes.String},
		{Name: "BillingPeriodStartDate", Type: arrow.FixedWidthTypes.Timestamp_ms},
		{Name: "BillingPeriodEndDate", Type: arrow.FixedWidthTypes.Timestamp_us},
		{Name: "SubscriptionId", Type: arrow.BinaryTypes.String}, {Name: "Date", Type: arrow.FixedWidthTypes.Date32},
		{Name: "CostInBillingCurrency", Type: &arrow.Decimal128Type{Precision: 38, Scale: 18}},
		{Name: "BillingCurrencyCode", Type: arrow.BinaryTypes.String},
		{Name: "ChargeType", Type: arrow.BinaryTypes.String}, {Name: "PricingModel", Type: arrow.BinaryTypes.String},
		{Name: "Quantity", Type: arrow.PrimitiveTypes.Float64},
		{Name: "UnitPrice", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "IsAzureCreditEligible", Type: arrow.FixedWidthTypes.Boolean}, {Name: "Tags", Type: arrow.BinaryTypes.String},
	}
	schema := arrow.NewSchema(fields, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	cost, err := decimal128.FromString("86.3155", 38, 18)
	if err != nil {
		t.Fatal(err)
	}
	const day = 1_788_307_200 // 2 September 2026
	for i, v := range []any{
		"8611", arrow.Timestamp((day - 86400) * 1000), arrow.Timestamp((day + 28*86400) * 1_000_000),
		strings.ToLower(subscription), arrow.Date32(day / 86400), cost,
		"USD", "Usage", "OnDemand", 23.5, 3.673, true, `{"a":"1"}`,
	} {
		switch f := b.Field(i).(type) {
		case *array.StringBuilder:
			f.Append(v.(string))
		case *array.TimestampBuilder:
			f.Append(v.(arrow.Timestamp))
		case *array.Date32Builder:
			f.Append(v.(arrow.Date32))
		case *array.Decimal128Builder:
			f.Append(v.(decimal128.Num))
		case *array.Float64Builder:
			f.Append(v.(float64))
		case *array.BooleanBuilder:
			f.Append(v.(bool))
		}
	}
	typed := filepath.Join(t.TempDir(), "a.snappy.parquet")
	f, err := os.Create(typed)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(schema, f, nil, pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	rec := b.NewRecordBatch()
	defer rec.Release()
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var digests []string
	for _, uri := range []string{root, typed} {
		r, err := readAll(t, billtest.List(t, uri))
		if err != nil || r.Tally.RejectedRows() > 0 {
			t.Fatal(err, r.Tally.First)
		}
		r.Check(t)
		c := r.Charges[0][0]
		digests = append(digests, fmt.Sprintf("%x %s %s %s %s", r.Deliveries[0].Digest, c.ID, costs(c), c.Account, c.Period))
	}
	if digests[0] != digests[1] {
		t.Errorf("\n%s\n%s", digests[0], digests[1])
	}
}

// Identity does not depend on case of ids, spelling of numbers and dates, or
// braces.
func TestIdentity(t *testing.T) {
	read := func(c cells) ledger.Delivery {
		_, d, _ := one(t, "a.csv", base(c))
		return d
	}
	want := read(cells{
		"ResourceId": group + "disks/D", "Quantity": "1.50",
		"Tags": `"b": "2","a": "1"`, "ReservationId": "", "ResourceGroup": "RG",
	})
	same := read(cells{
		"ResourceId": strings.ToUpper(group) + "disks/d", "Quantity": "1.5", "Tags": `{"a":"1","b":"2"}`,
		"ReservationId": "00000000-0000-0000-0000-000000000000", "ResourceGroup": "rg", "SubscriptionId": account,
		"Date": "2026-09-02", "CostInBillingCurrency": "1.0", "ServiceInfo1": "", "ProductOrderName": "Unassigned",
	})
	if want.Digest != same.Digest || want.ID != same.ID {
		t.Error("the same row has another digest")
	}
	for name, c := range map[string]cells{
		"another tag": {
			"ResourceId": group + "disks/D", "Quantity": "1.50", "Tags": `"b": "2","a": "3"`, "ResourceGroup": "RG",
		}, "another case of a tag": {"ResourceId": group + "disks/D",
			"Quantity": "1.50", "Tags": `"b": "2","A": "1"`, "ResourceGroup": "RG"},
		"another quantity": {
			"ResourceId": group + "disks/D", "Quantity": "1.51", "Tags": `"b": "2","a": "1"`, "ResourceGroup": "RG",
		},
	} {
		if read(c).Digest == want.Digest {
			t.Errorf("%s: the same digest", name)
		}
	}
}
