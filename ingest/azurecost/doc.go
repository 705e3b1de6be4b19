// Package azurecost reads Azure cost details: Cost Management exports
// ActualCost, AmortizedCost and Usage of every agreement (EA, MCA, MPA,
// pay-as-you-go) and version, and downloads of the portal; as CSV (UTF-8 or
// UTF-16, packed or not) or Parquet, with and without a manifest. FocusCost is
// FOCUS and read by package focus.
//
// It owns the columns, the line rule and a line's effect on the ledger; package bill makes the
// two passes, groups files into deliveries and gives rows their identity.
//
// # Header
//
// Column names are compared without case and punctuation; for a localised name, the English one
// in parentheses counts. Title lines before the header are skipped. column.go lists all
// spellings.
//
// # Datasets
//
// A file is ActualCost or AmortizedCost by the manifest's exportConfig.type, else by the last
// folder or file name with one of the words in it, else by its rows: unused commitments and
// covered use with a cost are AmortizedCost; purchases of commitments and covered use without a
// cost are ActualCost; both in one file are refused, because the two are never added. A file
// without commitments is the same in both and is read as both, dataset "Cost", which ranks
// below named exports. "Usage", the dataset of exports before 2021, is use as billed.
//
//	dataset        billed   effective   list, contracted
//	ActualCost     cost     NULL        NULL
//	AmortizedCost  NULL     cost        as below
//	Usage          cost     cost and as below where no row is covered by a commitment, else NULL
//	Cost           cost     cost        as below
//
// cost is CostInBillingCurrency in its spellings. list is PaygCostInBillingCurrency, else
// PayGPrice × Quantity; contracted is UnitPrice × Quantity; both × the exchange rate if prices
// are in another currency than the bill. All are exact. Prices are per unit of the quantity (as
// on every row of the public files that have both). NULL are: a measure without a column, value
// or exchange rate, and the list cost of a row with a public price of 0 next to an agreed
// price, which is how real files write covered use. contracted is 0 on rows of commitments
// themselves, since the use that they pay for carries it.
//
// # Lines
//
//	ChargeType                          kind             category
//	Usage                               usage, or covered_usage under PricingModel Reservation or SavingsPlan
//	                                    (without a model: with a benefit or reservation id)    Usage
//	Usage of an unused capacity reservation (UsageType ComputeCR)   commitment_fee             Usage
//	UnusedReservation, UnusedSavingsPlan   commitment_fee, effective = cost = the unused part  Usage
//	Purchase, Refund of a commitment    commitment_fee; refund: class Correction               Purchase
//	Purchase, Refund of a support plan  invoice                                                Purchase
//	Purchase                            other                                                  Purchase
//	Refund                              discount, class Correction                             Adjustment
//	RoundingAdjustment                  invoice                                                Adjustment
//	Tax                                 invoice                                                Tax
//	Credit, Adjustment                  discount                                               Credit, Adjustment
//	anything else                       other, counted                                         Adjustment
//
// The scope is BillingAccountId, under a Microsoft Customer Agreement BillingProfileId, else
// the subscription; the account is the subscription's GUID in lower case, for rows without one
// the scope. The billing month is that of BillingPeriodStartDate, else of BillingPeriodEndDate,
// else of the date. A line lasts the day of its date, purchases too; a service period is the
// period of a price and is not read.
//
// # Dates
//
// Dates are ISO dates, also with time and zone, or month, day and year in either order, in UTC
// if they have no zone. Whether the month comes first is decided once per file: by the first
// date with a number above 12 (the last day of a billing period always has one), by the only
// order in which billing periods last about a month, by the days in the name of the run's
// folder, or because only one order puts all dates into one month. A date in the other order is
// refused, and so is a file in which none of these decides.
//
// # Machines
//
// A line bills a machine's time if its meter is of Virtual Machines (or AdditionalInfo has
// ComputeHR and the meter is not a licence), its publisher is not the marketplace, and its
// resource does not belong to another service. The instance key is the machine's resource id in
// lower case; in a scale set the member's, which AdditionalInfo names as <set>_<number> or by
// its host name <set><number in base 36, six digits>, else that of the set. Quantity counts
// hours whatever the block before the unit (24 of "100 Hours" are 24 hours), of day meters
// days. Machines billed through another service (Machine Learning, Batch) are not machines of
// the fleet: they bill GPUs by their type, as do meters with GPU in their name.
//
// # Identity
//
// Resource, subscription and other ids change case between days and are compared in lower case;
// dates as days, numbers as decimals, Tags and AdditionalInfo as maps with or without braces;
// Unassigned, Not applicable and the zero GUID count as no value. Rows have no id.
//
// # Refusals
//
// Refused, each with file, line, column and reason: missing required columns, invalid numbers
// and dates, rows with money but without date or currency, ambiguous dates, both datasets in
// one file, and runs with parts that are missing or differ from the manifest. Noted and
// counted: unknown charge types, currency codes of other than three letters (they stay separate
// currencies), unreadable maps, and machine time in an unknown unit.
package azurecost
