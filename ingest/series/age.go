package series

// Age drops state that outlives flushes and was not used since the call before the last one.
// Call it about every half hour on a collector that lives for months.
func (c *Collector) Age() {
	c.age++
	for k, r := range c.requests {
		if c.age-r.age > 1 {
			delete(c.requests, k)
		}
	}
	for k, n := range c.google {
		if c.age-n.age > 1 {
			delete(c.google, k)
		}
	}
	for k, r := range c.restarts {
		if c.age-r.age > 1 {
			delete(c.restarts, k)
			delete(c.restarted, k)
		}
	}
	for k, s := range c.suspended {
		if c.age-s.age > 1 {
			delete(c.suspended, k)
			delete(c.changed, k)
		}
	}
	if len(c.exporters) > maxExporters {
		clear(c.exporters)
	}
	if len(c.exactRestarts) > maxClusters {
		clear(c.exactRestarts)
	}
	if len(c.clusters) > maxClusters {
		clear(c.clusters)
	}
}

// maxClusters bounds how many names of clusters are kept.
const maxClusters = 10_000
