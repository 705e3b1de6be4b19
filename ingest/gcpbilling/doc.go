// Package gcpbilling reads Google Cloud Billing exports, standard and detailed, in every form
// in which they leave BigQuery: JSON lines, concatenated and listed JSON, Avro, nested Parquet,
// CSV with dotted or underscored names, and dlt's tables and child tables.
//
// It owns the fields, a row's effect on the ledger, and the join of child tables. Package table
// turns files into rows; package bill makes the two passes, the deliveries and the identity of
// rows.
//
// # Fields
//
// A field is known by its documented name, regardless of dots, underscores and case. Repeated
// fields are lists of records, as JSON or Python writes them. Records as text are read as
// records. Columns of a repeated field's first element (credits_amount) are left out if the
// file also has the whole field (credits); a file that has only them is refused. Required are
// billing_account_id, usage_start_time, usage_end_time, cost and currency. A row without
// invoice.month belongs to the month in which its use began in US Pacific time, and is noted.
//
// # Deliveries
//
// The export only ever appends. Its export_time, at full precision, identifies rows: new times
// add up; of two readings of one time the fuller counts, and two that each have rows which the
// other lacks are refused by name. A delivery is all rows of one billing account and UTC day of
// export that an import brings and that are not stored yet, from whatever files; any number of
// deliveries count together. Files with the table's partition (partition_date, _PARTITIONTIME,
// …) use that day instead, and rows with neither use the month of their use. These are separate
// exports (dataset "… by partition", "… undated"), so that the same rows under two days are
// detected and not added up; if a row has no export_time, all rows of its partition have one
// time. The time of a delivery is its newest export_time. The standard and the detailed export
// are one, of which either table may be read; files of both for one day are refused. Columns of
// resource or price distinguish them.
//
// # Money
//
//	billed      cost + Σ credits.amount, all credits, promotional ones too (noted)
//	effective   billed; what commitments cost moves to the rows they cover by rule 8.15
//	list        cost_at_list
//	contracted  cost_at_effective_price_default, else cost
//
// Promotional credits lower the invoice, but not the price. They are part of billed, as on the
// invoice; a charge cannot hold them separately, so rows that have one are counted.
//
// # Rows
//
//	cost type tax                                    invoice, Tax
//	adjustment, rounding_error of project or resource  discount, Adjustment
//	the same of neither                              invoice, Adjustment
//	SKU "Commitment …"                               prepaid, Purchase
//	the same with a FEE_UTILIZATION_OFFSET credit    commitment fee, all of it unused
//	service "… Support"                              invoice, Usage
//	adjustment_info that negates rows, or of usage   usage, class Correction
//	other adjustment_info                            discount, class Correction
//	system label is_unused_reservation               commitment fee, all of it unused
//	committed-use credit, or priced under a commitment  covered usage
//	other regular rows                               usage
//	other cost types                                 other, noted
//
// Credits are for committed use by type (COMMITTED_USAGE_DISCOUNT…), in old
// exports by name ("Committed Usage Discount: …"). The commitment of a row is
// subscription.instance_id, else the id of such a credit where it is an id and
// not the credit's name or a SKU's.
//
// # Machines
//
// A row belongs to the instance of resource.global_name, by numeric id if it has one, else by
// project, zone and name. A row that bills part of a machine and has no global_name belongs to
// the instance of resource.name. Cores, memory, GPUs, local SSDs, premiums and whole machine
// types of Compute Engine are rows of the machine itself, recognised by words of the SKU's
// description. Machine time is on core rows (divided by the cores of the system label, scaled
// if they are shared, else of the catalogue), on rows of whole machine types, and on rows that
// bill a machine by GPU slices (divided by the GPUs of its type); on no others. Cost allocation
// of GKE splits rows by namespace; their time adds up. Corrections of usage (mode
// COMPLETE_NEGATION…, type USAGE_CORRECTION, with a quantity) take it back or bill it again;
// those of prices have no time.
//
// Tags are labels, resource-manager tags, labels of the project and system labels. If two have
// different values under one key, the first in this order keeps the key, and the other's is
// prefixed tag:, project: or system:.
//
// # Child tables
//
// dlt makes X__credits from the field credits of table X, joined by _dlt_id = _dlt_parent_id.
// Such tables are read before the rows, at most 2,097,152 elements and 64 MiB of different ones
// per import, which takes some 150 MB; a larger import must be split. They find their table by
// folder or file name, else by the rows that they name. A table without any of them is refused,
// as its credits would be lost. One with others but none for credits has no credits: dlt
// creates a child table with the first element.
//
// # Refusals
//
// Refused, each with file, line, column and reason: missing required columns; credits with only
// the first element; invalid numbers, dates, months and currencies; text instead of a list or
// record; rows with money but without currency or usage period; and contradicting readings of
// one export_time.
package gcpbilling
