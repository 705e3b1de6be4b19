package focus

import (
	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
)

// column is a FOCUS column that the mapping reads.
type column int

// The columns that become part of a charge.
const (
	colBilled column = iota
	colEffective
	colList
	colContracted
	colCurrency
	colBillingAccount
	colSubAccount
	colBillingStart
	colBillingEnd
	colChargeStart
	colChargeEnd
	colCategory
	colClass
	colDescription
	colFrequency
	colCommitment
	colCommitmentCategory
	colCommitmentStatus
	colSubcategory
	colReservationStatus
	colConsumed
	colConsumedUnit
	colPricingQuantity
	colPricingUnit
	colPricingCategory
	colProvider
	colServiceProvider
	colHostProvider
	colPublisher
	colIssuer
	colRegion
	colZone
	colResource
	colResourceName
	colResourceType
	colServiceCategory
	colService
	colSku
	colSkuPrice
	colSkuDetails
	colTags
	colAllocatedTags
	colAllocatedMethod
	colAllocatedResource
	colAllocatedName
	colUsageType
	colServiceCode
	colOperation
	colSkuDetailsAzure
	colLoadID
	colOrigin
	columnCount
)

// names are FOCUS column ids; x_ columns are those of AWS, Azure and loaders.
var names = [columnCount]string{
	colBilled: "BilledCost", colEffective: "EffectiveCost", colList: "ListCost",
	colContracted: "ContractedCost", colCurrency: "BillingCurrency",
	colBillingAccount: "BillingAccountId", colSubAccount: "SubAccountId",
	colBillingStart: "BillingPeriodStart", colBillingEnd: "BillingPeriodEnd",
	colChargeStart: "ChargePeriodStart", colChargeEnd: "ChargePeriodEnd",
	colCategory: "ChargeCategory", colClass: "ChargeClass",
	colDescription: "ChargeDescription", colFrequency: "ChargeFrequency", colCommitment: "CommitmentDiscountId",
	colCommitmentCategory: "CommitmentDiscountCategory",
	colCommitmentStatus:   "CommitmentDiscountStatus", colSubcategory: "ChargeSubcategory",
	colReservationStatus: "CapacityReservationStatus", colConsumed: "ConsumedQuantity", colConsumedUnit: "ConsumedUnit",
	colPricingQuantity: "PricingQuantity", colPricingUnit: "PricingUnit", colPricingCategory: "PricingCategory",
	colProvider: "ProviderName", colServiceProvider: "ServiceProviderName",
	colHostProvider: "HostProviderName", colPublisher: "PublisherName", colIssuer: "InvoiceIssuerName",
	colRegion: "RegionId", colZone: "AvailabilityZone", colResource: "ResourceId",
	colResourceName: "ResourceName", colResourceType: "ResourceType",
	colServiceCategory: "ServiceCategory", colService: "ServiceName",
	colSku: "SkuId", colSkuPrice: "SkuPriceId", colSkuDetails: "SkuPriceDetails",
	colTags: "Tags", colAllocatedTags: "AllocatedTags", colAllocatedMethod: "AllocatedMethodId",
	colAllocatedResource: "AllocatedResourceId", colAllocatedName: "AllocatedResourceName",
	colUsageType: "x_UsageType", colServiceCode: "x_ServiceCode", colOperation: "x_Operation",
	colSkuDetailsAzure: "x_SkuDetails", colLoadID: "_dlt_load_id",
	colOrigin: "x_OriginId", // in our export: the charge that the row is a part of
}

// preview are column names of the preview of FOCUS 1.0, which Oracle still writes.
var preview = map[string]column{
	"Provider": colProvider, "Publisher": colPublisher, "Region": colRegion,
	"UsageQuantity": colConsumed, "UsageUnit": colConsumedUnit,
}

func (c column) name() string { return names[c] }

// required columns; one of several alternatives is enough.
var required = [][]column{{colBilled, colEffective}, {colBillingStart}, {colChargeStart}, {colChargeEnd}, {colCategory}}

// numbers and times among all FOCUS columns, for the identity of rows. Others
// are compared as text, Tags and details as pairs.
var (
	numberColumns = []string{
		"BilledCost", "EffectiveCost", "ListCost", "ContractedCost", "ListUnitPrice",
		"ContractedUnitPrice", "PricingQuantity", "ConsumedQuantity",
		"CommitmentDiscountQuantity", "UsageQuantity", "PricingCurrencyContractedUnitPrice",
		"PricingCurrencyEffectiveCost", "PricingCurrencyListUnitPrice",
	}
	timeColumns = []string{"BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd"}
	pairColumns = []string{"Tags", "SkuPriceDetails", "AllocatedTags"}
)

var (
	columnByName    = map[string]column{}
	columnByPreview = map[string]column{}
	formByName      = map[string]bill.Form{}
)

func init() {
	for c, n := range names {
		columnByName[table.Squash(n)] = column(c)
	}
	for n, c := range preview {
		columnByPreview[table.Squash(n)] = c
	}
	for form, list := range map[bill.Form][]string{
		bill.Number: numberColumns, bill.Time: timeColumns, bill.Pairs: pairColumns,
	} {
		for _, n := range list {
			formByName[table.Squash(n)] = form
		}
	}
}
