package series

import (
	"maps"
	"slices"
)

// Names lists every metric name that is read, sorted, for querying a server.
func Names() []string { return slices.Sorted(maps.Keys(binders)) }
