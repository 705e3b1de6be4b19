// Package pricebook reads price books: YAML files that say what an
// instance-hour costs while its bill has not come yet.
//
//	rates:
//	  - instance_type: p5.48xlarge
//	    region: us-east-1          # optional: any region
//	    price_class: on_demand     # on_demand, spot, savings_plan, reserved, owned
//	    currency: USD
//	    hourly: "55.04"            # per instance-hour, a plain decimal
//	    valid_from: 2026-01-01     # optional, inclusive
//	    valid_to: 2027-01-01       # optional, exclusive
//	    source: AWS price list     # optional: the file's name
//
// It refuses unknown keys, missing or malformed values, and two entries for
// one (instance type, region, price class) that are valid at the same time,
// each with its line. One refusal refuses the whole book.
package pricebook
