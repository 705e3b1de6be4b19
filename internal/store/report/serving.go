package report

import (
	"slices"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
	"gpuledger/metrics"
)

// servedFrom is what rows a question about inference can be answered from.
type servedFrom int

const (
	servedReplicas servedFrom = iota // of replicas, by hour or day
	servedPlaces                     // of services by month and place, else of replicas
	servedServices                   // of services, by month or day
)

// Keys of the roll-up of services; those of places it has by month only.
var (
	serviceKeys = []string{"service", "model", "server", "tenant", "cluster", "namespace", "currency", "state", "split_basis",
		"team", "project", "business_unit", "environment", "cost_center", "stage", "model_version", "workload_kind", "workload_class"}
	placeKeys = []string{"region", "zone", "instance_type", "gpu_model", "pricing"}
)

func servedBy(q metrics.Query) servedFrom {
	best := servedServices
	for _, name := range askedNames(q) {
		switch {
		case slices.Contains(serviceKeys, name):
		case slices.Contains(placeKeys, name):
			best = servedPlaces
		default:
			return servedReplicas
		}
	}
	return best
}

// askedNames are the keys that q is grouped and filtered by.
func askedNames(q metrics.Query) []string {
	names := metrics.FilterKeys(q.Filter)
	for _, k := range q.GroupBy {
		names = append(names, k.Name)
	}
	return names
}

// servingRows are the rows that an answer about inference is added up from.
func (c Compiler) servingRows() string {
	if c.Plan == nil {
		return c.Expand(pg.Statement("report.serving_replicas"))
	}
	spans := map[source]string{fromDays: "'day'", fromMonths: "'month'"}
	if servedBy(c.Q) == servedPlaces {
		spans = map[source]string{fromMonths: "'month and place'"}
	}
	var parts []string
	for _, p := range c.Plan.Pieces {
		if p.From == fromNowhere {
			continue
		}
		c := c.over(p.Span)
		if span, ok := spans[p.From]; ok {
			parts = append(parts, c.in(span).Expand(pg.Statement("report.serving_services")))
			continue
		}
		parts = append(parts, c.Expand(pg.Statement("report.serving_replicas")))
	}
	return strings.Join(parts, "\nunion all\n")
}

// servingTable is what rows of replicas are read from: sums of UTC days where
// nothing finer is asked, which say the same in fewer rows.
func (c Compiler) servingTable() string {
	whole := c.window.From%period.Day == 0 && c.window.To%period.Day == 0
	if c.Q.Granularity == metrics.Hour || !whole || c.Q.Granularity != metrics.Total && c.zone() != "UTC" {
		return "serving_hours"
	}
	return "serving_days"
}
