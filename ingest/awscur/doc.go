// Package awscur reads AWS Cost and Usage Reports: 2.0 (Data Exports) and the
// legacy report, as Parquet or CSV, packed or not, with and without a manifest.
//
// It owns the columns, the line rule and a line's effect on the ledger; package bill makes the
// two passes, groups files into deliveries and gives rows their identity.
//
// # Line rule
//
// billed is line_item_unblended_cost; list is pricing_public_on_demand_cost.
//
//	type                        effective                                   contracted
//	DiscountedUsage             reservation_effective_cost                  list (the bill has no negotiated price)
//	SavingsPlanCoveredUsage     savings_plan_savings_plan_effective_cost    billed (negotiated on-demand price)
//	SavingsPlanNegation         0                                           0 (the covered rows carry it)
//	SavingsPlanRecurringFee     total_commitment - used_commitment          0
//	SavingsPlanUpfrontFee       0                                           0
//	RIFee                       unused upfront + unused recurring           0
//	Fee with a reservation      0                                           0
//	all others                  billed                                      billed
//
// A Fee of a capacity block is prepaid; unused hours of a capacity reservation are an unused
// commitment; ml.… instances bill GPUs of a managed service. Rows of split cost allocation are
// evidence with amounts of 0.
//
// So contracted adds up to the cost of the use without commitments. A measure whose columns are
// absent or null is nil, never 0. Gross costs and discount rows are the book; only if the
// export has no gross costs, the net columns are read and discount rows set to 0. The choice is
// the delivery's dataset: "CUR 2.0" or "CUR 2.0 net".
//
// # Refusals
//
// Refused, each with file, line, column and reason: missing required columns, invalid numbers
// and dates, rows with money but without currency or usage period, instance time in another
// unit than hours, files of two deliveries that cannot be distinguished, damaged archives and
// Parquet files. A line-item type without a rule is kept as "other" and counted.
package awscur
