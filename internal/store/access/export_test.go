package access

import (
	"maps"
	"slices"
)

// Words are the views that run by the rights of their owner.
var Words = words

// SeenTables are the tables that are seen in part.
func SeenTables() []string { return slices.Sorted(maps.Keys(seen)) }
