package store

import (
	"gpuledger/internal/period"
	"gpuledger/metrics"
)

// servingTable is what a question about inference reads: sums of UTC days where
// it asks for nothing finer, which says the same in fewer rows.
func (c *compiler) servingTable() string {
	whole := c.q.Window.From%period.Day == 0 && c.q.Window.To%period.Day == 0
	if c.q.Granularity == metrics.Hour || !whole || c.q.Granularity != metrics.Total && c.zone() != "UTC" {
		return "serving_hours"
	}
	return "serving_days"
}
