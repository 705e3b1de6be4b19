package access

import (
	"maps"
	"slices"
)

// Words are the views that run with their owner's rights.
var Words = words

// SeenTables are the tables that scoped users read.
func SeenTables() []string { return slices.Sorted(maps.Keys(seen)) }
