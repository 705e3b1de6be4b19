package odata

import (
	"gpuledger/metrics"
)

// Namespace of the types.
const Namespace = "gpuledger"

// RowID is the property that identifies an entity. Rows have no column without NULL that does.
const RowID = "row_id"

// grains are the group keys of rows of datasets that leave the choice to the question.
var grains = map[string][]string{
	"costs": {"business_unit", "team", "project", "model", "stage", "environment", "cost_center", "experiment", "cluster",
		"region", "gpu_model", "instance_type", "pricing", "namespace", "workload_class", "cause"},
	"chargeback": {"business_unit", "team", "project", "environment", "cost_center"},
	"variance":   {"team", "project"},
}

// grain are the options of the rows of an entity set: fixed keys, and days where rows are split by time.
func grain(d *metrics.Dataset) metrics.Options {
	var o metrics.Options
	if d.Grouped {
		for i, key := range grains[d.Name] {
			if i > 0 {
				o.GroupBy += ","
			}
			o.GroupBy += key
		}
	}
	if d.Grouped && d.SplitsByTime() {
		o.Granularity = string(metrics.Day)
	}
	return o
}

// Columns are the columns of an entity set.
func Columns(d *metrics.Dataset) ([]metrics.Column, error) {
	q, err := metrics.Parse(d.Name, grain(d))
	if err != nil {
		return nil, err
	}
	return q.Columns(), nil
}

// edmType is the type of a property.
func edmType(k metrics.Kind) string {
	switch {
	case k.Decimal():
		return "Edm.Decimal"
	case k.Integer():
		return "Edm.Int64"
	case k == metrics.Bool:
		return "Edm.Boolean"
	case k == metrics.Time:
		return "Edm.DateTimeOffset"
	}
	return "Edm.String"
}
