package metrics

import (
	"slices"

	"gpuledger/metrics/focus"
)

// focusKinds are the kinds of the types of FOCUS columns.
var focusKinds = map[focus.Type]Kind{
	focus.Text: Text, focus.JSON: Text, focus.Time: Time, focus.Cost: Money, focus.Price: Quantity,
	focus.Quantity: Quantity, focus.Decimal: Quantity,
}

// focusUnits are the units of their numbers.
var focusUnits = map[focus.Type]string{
	focus.Cost: "currency", focus.Price: "currency per unit", focus.Quantity: "unit of the row", focus.Decimal: "1",
}

// focusColumns are the columns of a dataset of FOCUS, those of all versions, and our own, whose names begin with x_.
func focusColumns(spec *focus.Dataset, source string, own ...Column) []Column {
	var cols []Column
	for _, c := range spec.Columns {
		col := attr(c.Name, focusKinds[c.Type], c.Doc).values(c.Values...).unit(focusUnits[c.Type])
		if text := c.Versions(); text != "" {
			col = col.caveat(text)
		}
		cols = append(cols, col)
	}
	return sourced(source, append(cols, own...)...)
}

// Varies reports whether only some versions of the dataset's specification have the column.
func (d *Dataset) Varies(c Column) bool {
	return d.Focus != nil && slices.ContainsFunc(d.Focus.Versions, func(v string) bool { return !d.has(c, v) })
}

// has reports whether a version of the dataset's specification has the column; each has our own ones.
func (d *Dataset) has(c Column, version string) bool {
	of, standard := d.Focus.Column(c.Name)
	return !standard || of.In(version)
}

// versionColumns are the columns of the dataset's own rows in a version of its specification; empty: its newest.
func (d *Dataset) versionColumns(version string) []Column {
	cols := d.ownColumns()
	if d.Focus == nil {
		return cols
	}
	if version == "" {
		version = d.Focus.Versions[0]
	}
	return slices.DeleteFunc(slices.Clone(cols), func(c Column) bool { return !d.has(c, version) })
}

var focusCostAndUsage = Dataset{
	Name: "focus_cost_and_usage",
	Lead: []string{"ChargePeriodStart", "ServiceName", "AllocatedResourceId", "EffectiveCost", "BillingCurrency",
		"ChargeCategory", "x_Cause", "ResourceId"},
	Doc: "FOCUS CostAndUsage: one bill line, part, holder and cause. Costs of one line are split as the ledger splits " +
		"them; its other columns are those of the line. Without provisional cost.",
	Focus: focus.CostAndUsage,
	Columns: focusColumns(focus.CostAndUsage, "charge_rows, charge_details, parts, postings, owners, workloads",
		attr("x_ChargeId", ID, "Bill line, as in charges; its rows add up to it."),
		attr("x_OriginId", ID, "Origin charge of the split: line, part, category, commitment status, correction and month."),
		attr("x_Cause", Text, "Cause of the cost.").values(causeNames...),
		attr("x_AssumedColumns", Text, "Costs that no delivery of the payer's month carries, separated by blanks. They hold "+
			"the billed cost, since FOCUS requires them."),
		attr("x_Aggregated", Bool, "Whether the line is a total of many lines, which has no quantity."),
		attr("x_CorrectsChargeId", ID,
			"Bill line that a correction corrects; NULL for a line that the closed month lacked."),
	),
	Windowed: true,
	ByMonth:  true,
	InPart:   true,
	ScopeNote: "these rows are only the part of each bill line that is in your scope, so they do not add up to the " +
		"invoice",
	RowKey: []string{"x_OriginId", "AllocatedResourceId", "AllocatedTags", "x_Cause"},
	Order:  []Order{{Column: "BillingPeriodStart"}, {Column: "x_ChargeId"}},
}
