// Package gcpbilling reads Google Cloud Billing exports, standard and detailed,
// in every shape that leaves BigQuery: JSON lines, concatenated and listed
// JSON, Avro, nested Parquet, CSV with dotted or underscored names, and the
// tables and child tables that dlt makes.
//
// It owns the fields, what a row does to the ledger, and the join of child
// tables; package table makes rows of the files, package bill the two passes,
// the deliveries and the identity of rows.
//
// # Fields
//
// A field is known by its documented name, whatever its dots, underscores and
// case. Repeated fields are lists of records as JSON or Python writes them.
// Records that are there as text are read as records. Columns of the first
// element of a repeated field beside the whole (credits_amount beside credits)
// say nothing new and are left out; a file that has only them is refused.
// Required are billing_account_id, usage_start_time, usage_end_time, cost and
// currency. A row without invoice.month belongs to the month in which its use
// began in US Pacific time, and is noted.
//
// # Deliveries
//
// The export only ever appends, and tells rows apart by export_time, at full
// precision: times that are not known add up, of two readings of one time the
// fuller counts, and two that each have rows which the other lacks are refused
// by name. A delivery is what an import brings of one billing account and UTC
// day of export that is not stored yet, from whatever files; any number of
// them count side by side. Files that name the partition of
// the table (partition_date, _PARTITIONTIME, …) go by that day instead, and rows
// with neither by the month of their use: these are exports of their own
// (dataset "… by partition", "… undated"), so that the same rows under two
// days are seen and not added; where a row has no export_time, those of its
// partition are of one time. The time of a delivery is the newest
// export_time in it. The standard and the detailed export are one, of which
// either table may be read; files of both for one day are refused, told apart
// by columns of resource or price.
//
// # Money
//
//	billed      cost + Σ credits.amount, all credits, promotional ones too (noted)
//	effective   billed; what commitments cost moves to the rows they cover by rule 8.15
//	list        cost_at_list
//	contracted  cost_at_effective_price_default, else cost
//
// Promotional credits lower the invoice and say nothing of the price. They are
// part of billed, as on the invoice; a charge has no place that keeps them
// apart, so rows that have one are counted.
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
// A row hangs on the instance of resource.global_name, by numeric id where it
// is one, else by project, zone and name; a row that bills part of a machine
// and has no global_name, on that of resource.name. Cores, memory, GPUs, local
// SSDs, premiums and whole machine types of Compute Engine are rows of the
// machine itself, told by words of the SKU's description. Machine time is on
// core rows (divided by the cores of the system label, scaled where they are
// shared, else of the catalogue), on rows of whole machine types, and on rows
// that bill a machine by GPU slices (divided by the GPUs of its type); on no
// others. Cost allocation of GKE splits rows by namespace; their time adds up.
// Corrections of usage (mode COMPLETE_NEGATION…, type USAGE_CORRECTION, with a
// quantity) take it back or bill it again; those of prices have none.
//
// Tags are labels, resource-manager tags, labels of the project and system
// labels. Where two have different values under one key, the first of this
// order keeps it and the other's key is prefixed tag:, project: or system:.
//
// # Child tables
//
// dlt makes X__credits of the field credits of table X, joined by _dlt_id =
// _dlt_parent_id. Such tables are read before the rows, at most 2,097,152
// elements and 64 MiB of different ones per import, which takes some 150 MB;
// beyond, the import must be cut. They find their table by folder or file
// name, else by the rows they name. A table without any of them is refused, as
// its credits would be lost. One with others but without credits has none: dlt
// makes a child table with the first element.
//
// # Refusals
//
// Missing required columns, credits of which only the first is there, numbers,
// dates, months and currencies that are none, text that is neither list nor
// record where one belongs, rows with money but without currency or usage
// period, readings of one export_time that contradict each other: each with
// file, line, column and reason.
package gcpbilling
