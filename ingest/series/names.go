package series

import (
	"maps"
	"slices"
)

// Names lists every metric name that means anything here, sorted: what is
// worth asking a server for.
func Names() []string { return slices.Sorted(maps.Keys(binders)) }
