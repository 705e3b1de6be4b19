// Package focus reads bills in the FinOps Open Cost and Usage Specification,
// versions 1.0 to 1.3, from any provider: CSV and Parquet, packed or not.
//
// # Rules
//
// The four measures are the columns of the same names; a column that is absent
// or a null is not carried, never 0. A row is kept as it is written: FOCUS
// already says what is amortised (a purchase of a commitment has effective
// cost 0, covered usage has billed cost 0, an unused part is a row of its own).
//
//	ChargeCategory            kind
//	Tax                       invoice
//	Credit, Adjustment        discount
//	Purchase                  commitment_fee with a CommitmentDiscountId; support is invoice; usage where it
//	                          is the rent of the machine that it names, up to 32 days; else other
//	Usage, Unused             commitment_fee: its effective cost is what was not used
//	Usage, Used               covered_usage
//	Usage, negative           discount (a refund or correction of another line)
//	Usage                     usage
//
// A row bills instance time when its details name an instance type or GPUs and
// its unit is a time, or when it names a resource and bill.Use finds that it
// bills a machine, should the resource be one (rule 8.5). The type is that of SkuPriceDetails
// (InstanceType), of x_SkuDetails (ServiceType), of x_UsageType, or a word of
// the charge description that the catalogue knows. Machines are known by
// ResourceId: EC2 instance ids, Google and Azure resource names, and of other
// providers the last part of the id, else of ResourceName.
//
// The sub-account of Azure rows is the subscription's GUID in lower case, as
// the native export spells it, so that both exports of one account meet.
//
// # Split rows
//
// FOCUS 1.3 lets a provider split a charge into allocated rows
// (AllocatedMethodId). Where the charge they were split from is in the file
// too, they are evidence with amounts of 0; where it is not, they are the
// charge.
//
// # Identity
//
// FOCUS has no row id. Several providers, accounts and currencies in one file
// make a delivery each per provider, billing account and billing month.
//
// # Refusals
//
// FOCUS 0.5, rows without billing period or with money and no charge period or
// currency, numbers and dates that are none. Files of specification examples
// without a billing account or currency column are read, and noted.
package focus
