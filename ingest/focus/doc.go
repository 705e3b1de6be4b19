// Package focus reads bills in the FinOps Open Cost and Usage Specification,
// versions 1.0 to 1.4, from any provider: CSV and Parquet, packed or not.
//
// # Rules
//
// The four measures are the columns of the same names; a column that is absent or null is not
// carried, never 0. A row is kept as written: in FOCUS, amortisation is already part of the
// rows (a purchase of a commitment has effective cost 0, covered usage has billed cost 0, an
// unused part is a separate row).
//
//	ChargeCategory            kind
//	Tax                       invoice
//	Credit, Adjustment        discount
//	Purchase                  commitment_fee with a CommitmentDiscountId; support is invoice; usage where it
//	                          is the rent of the machine that it names, up to 32 days; else other
//	Usage, Unused             commitment_fee: its effective cost is the unused part
//	Usage, Used               covered_usage
//	Usage, negative           discount (a refund or correction of another line)
//	Usage                     usage
//
// A row bills instance time if its details name an instance type or GPUs and its unit is a
// time, or if it names a resource and bill.Use finds that it bills a machine, should the
// resource be one (rule 8.5). The type is that of SkuPriceDetails (InstanceType), of
// x_SkuDetails (ServiceType), of x_UsageType, or a word of the charge description that is in
// the catalogue. Machines are identified by ResourceId: EC2 instance ids, Google and Azure
// resource names, and for other providers the last part of the id, else of ResourceName.
//
// The sub-account of Azure rows is the subscription's GUID in lower case, the native export's
// spelling, so that both exports of one account match.
//
// # Split rows
//
// FOCUS 1.3 lets a provider split a charge into allocated rows (AllocatedMethodId). If the
// original charge is also in the file, they are evidence with amounts of 0; otherwise they are
// the charge, and their unheld time belongs to the owner that their tags name (rule 8.31).
// Our export (x_OriginId) contains no original charges.
//
// # Identity
//
// FOCUS has no row id. A file with several providers, accounts and currencies makes one
// delivery per provider, billing account and billing month.
//
// # Refusals
//
// Refused: FOCUS 0.5, rows without billing period, or with money but without charge period or
// currency, and invalid numbers and dates. Files of specification examples without a billing
// account or currency column are read, and noted.
package focus
