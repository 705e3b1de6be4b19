package azurecost

import (
	"strings"

	"gpuledger/ingest/table"
)

// column is a column of a cost details file that the mapping reads.
type column int

// The columns that become part of a charge.
const (
	colBillingAccount column = iota
	colProfile
	colPeriodStart
	colPeriodEnd
	colSubscription
	colDate
	colProduct
	colMeterCategory
	colMeterSubCategory
	colMeterName
	colUnit
	colQuantity
	colCost
	colCurrency
	colPricingCurrency
	colExchangeRate
	colListCost
	colListPrice
	colUnitPrice
	colConsumedService
	colServiceName
	colResource
	colLocation
	colZone
	colTags
	colInfo
	colChargeType
	colPricingModel
	colPublisherType
	colReservation
	colBenefit
	colOrderName
	colAccountName
	colCommitmentName
	colInvoice
	colSubscriptionName
	colMeterID
	colPartNumber
	colResourceName
	colPublisherName
	colPricingCost
	columnCount
)

// spellings lists the names of each column over agreements and versions, the newest Enterprise
// Agreement's first. Case, and all characters except letters and digits, do not matter.
var spellings = [columnCount][]string{
	colBillingAccount:   {"BillingAccountId"},
	colProfile:          {"BillingProfileId"},
	colPeriodStart:      {"BillingPeriodStartDate", "BillingPeriodStart"},
	colPeriodEnd:        {"BillingPeriodEndDate", "BillingPeriodEnd"},
	colSubscription:     {"SubscriptionGuid", "SubscriptionId"},
	colDate:             {"Date", "UsageDateTime", "UsageDate"},
	colProduct:          {"ProductName", "Product"},
	colMeterCategory:    {"MeterCategory"},
	colMeterSubCategory: {"MeterSubCategory"},
	colMeterName:        {"MeterName", "Meter"},
	colUnit:             {"UnitOfMeasure"},
	colQuantity:         {"Quantity", "UsageQuantity", "ConsumedQuantity"},
	colCost:             {"CostInBillingCurrency", "Cost", "PreTaxCost"},
	colCurrency:         {"BillingCurrencyCode", "BillingCurrency", "Currency", "CurrencyCode"},
	colPricingCurrency:  {"PricingCurrency", "PricingCurrencyCode"},
	colExchangeRate:     {"ExchangeRatePricingToBilling", "ExchangeRate"},
	colListCost:         {"PaygCostInBillingCurrency"},
	colListPrice:        {"PayGPrice", "PayAsYouGoPrice"},
	colUnitPrice:        {"UnitPrice"},
	colConsumedService:  {"ConsumedService"},
	colServiceName:      {"ServiceName"},
	colResource:         {"ResourceId", "InstanceId", "InstanceName"},
	colLocation:         {"ResourceLocation", "ResourceLocationNormalized", "Location"},
	colZone:             {"AvailabilityZone"},
	colTags:             {"Tags"},
	colInfo:             {"AdditionalInfo", "AdditionalInformation"},
	colChargeType:       {"ChargeType"},
	colPricingModel:     {"PricingModel"},
	colPublisherType:    {"PublisherType"},
	colReservation:      {"ReservationId"},
	colBenefit:          {"BenefitId"},
	colOrderName:        {"ProductOrderName"},
	colAccountName:      {"BillingAccountName"},
	colCommitmentName:   {"BenefitName", "ReservationName"},
	colInvoice:          {"InvoiceId"},
	colSubscriptionName: {"SubscriptionName"},
	colMeterID:          {"MeterId"},
	colPartNumber:       {"PartNumber"},
	colResourceName:     {"ResourceName"},
	colPublisherName:    {"PublisherName"},
	colPricingCost:      {"CostInPricingCurrency"},
}

// Name is the newest name of the column.
func (c column) Name() string { return spellings[c][0] }

// names lists all its names, for messages.
func (c column) names() string { return strings.Join(spellings[c], " or ") }

// required columns: without them no row can become a charge. One of several alternatives is
// enough.
var required = [][]column{{colBillingAccount, colProfile, colSubscription}, {colDate}, {colCost}, {colCurrency}}

// telling columns hardly occur together in any other kind of file.
var telling = wordSet(`subscriptionguid subscriptionid resourcegroup resourcelocation usagedatetime metercategory
	metersubcategory meterid metername meterregion usagequantity resourcerate pretaxcost costinbillingcurrency
	consumedservice instanceid additionalinfo offerid unitofmeasure resourceid effectiveprice serviceinfo1 serviceinfo2
	billingperiodstartdate billingperiodenddate billingprofileid billingcurrencycode chargetype publishertype paygprice`)

// foreign columns identify a FOCUS file, which also has some of the above.
var foreign = wordSet("billedcost chargeperiodstart effectivecost")

// Columns by their kind of value; all others are text.
var (
	dateColumns = wordSet("date usagedatetime usagedate billingperiodstartdate billingperiodstart " +
		"billingperiodenddate billingperiodend serviceperiodstartdate serviceperiodenddate exchangeratedate")
	numberColumns = wordSet(`quantity usagequantity consumedquantity effectiveprice resourcerate costinbillingcurrency
		cost pretaxcost costinpricingcurrency costinusd paygcostinbillingcurrency paygcostinusd paygprice payasyougoprice
		unitprice exchangeratepricingtobilling exchangerate partnerearnedcreditrate`)
	pairColumns = wordSet("tags additionalinfo additionalinformation")
	// Their values change case from day to day.
	caselessColumns = wordSet(`billingaccountid billingprofileid subscriptionid subscriptionguid resourceid instanceid
		instancename resourcegroup resourcegroupname resourcelocation resourcelocationnormalized location consumedservice
		resourcetype benefitid reservationid productorderid meterid isazurecrediteligible accountid publisherid`)
)

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

var columnByName = func() map[string]column {
	out := map[string]column{}
	for c, names := range spellings {
		for _, n := range names {
			out[table.Squash(n)] = column(c)
		}
	}
	return out
}()

// canonicalName is the column named by a header: only letters and digits, in lower case, of the
// text in parentheses if a localised file has the English name there.
func canonicalName(header string) string {
	header = strings.TrimSpace(strings.TrimPrefix(header, "\ufeff"))
	if from := strings.LastIndexByte(header, '('); from > 0 && strings.HasSuffix(header, ")") {
		if name := table.Squash(header[from:]); name != "" {
			return name
		}
	}
	return table.Squash(header)
}

// looksLikeCosts reports whether names are the header of a cost details file,
// complete or not.
func looksLikeCosts(names []string) bool {
	hits := 0
	for _, h := range names {
		switch name := canonicalName(h); {
		case foreign[name]:
			return false
		case telling[name]:
			hits++
		}
	}
	return hits >= 4
}

// isHeader distinguishes the header from title lines before it.
func isHeader(fields []string) bool {
	if looksLikeCosts(fields) {
		return true
	}
	_, refused := newSchema("", fields)
	return refused == nil
}
