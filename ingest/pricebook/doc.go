// Package pricebook reads price books: YAML files with the cost of machines that no provider
// bills, or has not billed yet.
//
//	name: hall-7                   # with owned: the billing account
//	issued_at: 2026-12-01          # optional: order of two issues of one book
//	rates:                         # what an instance-hour costs until its bill comes
//	  - instance_type: p5.48xlarge
//	    region: us-east-1          # optional: any region
//	    price_class: on_demand     # on_demand, spot, savings_plan, reserved, owned
//	    currency: USD
//	    hourly: "55.04"
//	    valid_from: 2026-01-01     # optional, inclusive
//	    valid_to: 2027-01-01       # optional, exclusive
//	    source: AWS price list     # optional: the file's name
//	owned:                         # owned hardware: one line per node and hour
//	  - name: dgx-h100
//	    …
//
// docs/connect/price-book.md has every key. Rates only price; owned entries become
// charges: Slots lists the billing months, Slot.Write makes the lines of one
// (rule 8.20), Slot.Finish its delivery.
//
// Every line is exact: the depreciation over a life adds up to the purchase price less the
// residual value to the last 1e-12, a monthly cost to its amount over each whole month. A line
// does not depend on through, on the order of entries or on the clock, which is never read.
// Control totals are computed from the texts of the book by separate arithmetic.
//
// # Refusals
//
// Refused, each with its line: unknown, repeated, missing, malformed and unused keys; two
// prices of one (instance type, region, price class) at one time; a machine in two entries at
// one time; and books with implausibly many lines. One refusal refuses the whole book.
package pricebook
