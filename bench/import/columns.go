package main

import "time"

// column is one column of the report: exactly one of its readers is set.
type column struct {
	name   string
	text   func(*line) string
	number func(*line) decimal
	time   func(*line) time.Time
	pairs  func(*line) []string
}

func fixed(name, value string) column {
	return column{name: name, text: func(*line) string { return value }}
}

// empty are columns that the report has and these lines leave empty.
func empty(names ...string) (list []column) {
	for _, name := range names {
		list = append(list, fixed(name, ""))
	}
	return list
}

func none(names ...string) (list []column) {
	for _, name := range names {
		list = append(list, column{name: name, number: func(*line) decimal { return "" }})
	}
	return list
}

// columns are the columns of a CUR 2.0 export with resources, in its order.
var columns = func() []column {
	text := func(name string, f func(*line) string) column { return column{name: name, text: f} }
	number := func(name string, f func(*line) decimal) column { return column{name: name, number: f} }
	zero := func(name string) column { return number(name, func(*line) decimal { return "0.0" }) }
	list := []column{
		fixed("bill_bill_type", "Anniversary"), fixed("bill_billing_entity", "AWS"),
		{name: "bill_billing_period_end_date", time: func(*line) time.Time { return monthStart.AddDate(0, 1, 0) }},
		{name: "bill_billing_period_start_date", time: func(*line) time.Time { return monthStart }},
	}
	list = append(list, empty("bill_invoice_id", "bill_invoicing_entity")...)
	list = append(list, fixed("bill_payer_account_id", payer), fixed("bill_payer_account_name", "payer"),
		column{name: "cost_category", pairs: func(*line) []string { return nil }},
		column{name: "discount", pairs: func(*line) []string { return nil }},
		zero("discount_bundled_discount"), zero("discount_total_discount"),
		text("identity_line_item_id", func(l *line) string { return l.id }),
		text("identity_time_interval", func(l *line) string {
			return l.start.Format(time.RFC3339) + "/" + l.end.Format(time.RFC3339)
		}),
		text("line_item_availability_zone", func(l *line) string { return l.zone }),
		number("line_item_blended_cost", func(l *line) decimal { return l.unblended }),
		text("line_item_blended_rate", func(l *line) string { return l.rate }),
		fixed("line_item_currency_code", "USD"), fixed("line_item_legal_entity", "Amazon Web Services, Inc."),
		text("line_item_line_item_description", func(l *line) string { return l.description }),
		text("line_item_line_item_type", func(l *line) string { return l.lineType }))
	list = append(list, none("line_item_net_unblended_rate_amount", "line_item_normalization_factor",
		"line_item_normalized_usage_amount")[1:]...)
	list = append(list,
		text("line_item_operation", func(l *line) string { return l.operation }),
		text("line_item_product_code", func(l *line) string { return l.productCode }),
		text("line_item_resource_id", func(l *line) string { return l.resource }),
		fixed("line_item_tax_type", ""),
		number("line_item_unblended_cost", func(l *line) decimal { return l.unblended }),
		text("line_item_unblended_rate", func(l *line) string { return l.rate }),
		text("line_item_usage_account_id", func(l *line) string { return l.account }),
		text("line_item_usage_account_name", func(l *line) string { return "account " + l.account }),
		number("line_item_usage_amount", func(l *line) decimal { return l.usage }),
		column{name: "line_item_usage_end_date", time: func(l *line) time.Time { return l.end }},
		column{name: "line_item_usage_start_date", time: func(l *line) time.Time { return l.start }},
		text("line_item_usage_type", func(l *line) string { return l.usageType }))
	list = append(list, empty("pricing_currency", "pricing_lease_contract_length", "pricing_offering_class")...)
	list = append(list,
		number("pricing_public_on_demand_cost", func(l *line) decimal { return l.onDemand }),
		text("pricing_public_on_demand_rate", func(l *line) string { return l.rate }))
	list = append(list, empty("pricing_purchase_option")...)
	list = append(list,
		text("pricing_rate_code", func(l *line) string { return l.rateCode }), fixed("pricing_rate_id", "4981658079"),
		text("pricing_term", func(l *line) string { return l.term }),
		text("pricing_unit", func(l *line) string { return l.unit }),
		column{name: "product", pairs: func(l *line) []string { return l.product }})
	list = append(list, empty("product_comment", "product_fee_code", "product_fee_description", "product_from_location",
		"product_from_location_type", "product_from_region_code")...)
	list = append(list,
		text("product_instance_family", func(l *line) string { return l.family }), fixed("product_instancesku", ""),
		text("product_instance_type", func(l *line) string { return l.instanceType }),
		text("product_location", func(l *line) string { return l.region }), fixed("product_location_type", "AWS Region"),
		text("product_operation", func(l *line) string { return l.operation }), fixed("product_pricing_unit", ""),
		text("product_product_family", func(l *line) string { return l.productFamily }),
		text("product_region_code", func(l *line) string { return l.region }),
		text("product_servicecode", func(l *line) string { return l.productCode }),
		text("product_sku", func(l *line) string { return l.rateCode }))
	list = append(list, empty("product_to_location", "product_to_location_type", "product_to_region_code")...)
	list = append(list, text("product_usagetype", func(l *line) string { return l.usageType }))
	list = append(list, zero("reservation_amortized_upfront_cost_for_usage"), zero("reservation_effective_cost"))
	list = append(list, empty("reservation_reservation_a_r_n", "reservation_subscription_id")...)
	list = append(list, zero("reservation_unused_amortized_upfront_fee_for_billing_period"),
		zero("reservation_unused_recurring_fee"),
		column{name: "resource_tags", pairs: func(l *line) []string { return l.tags }})
	list = append(list, empty("savings_plan_offering_type")...)
	list = append(list,
		text("savings_plan_savings_plan_a_r_n", func(l *line) string { return l.plan }),
		number("savings_plan_savings_plan_effective_cost", func(l *line) decimal { return l.planCost }),
		zero("savings_plan_total_commitment_to_date"), zero("savings_plan_used_commitment"))
	return list
}()
