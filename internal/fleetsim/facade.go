package fleetsim

import "gpuledger/internal/fleetsim/world"

// What callers need to invent a fleet, so that they import only this package.
type (
	// Config is the fleet to invent.
	Config = world.Config
	// Rules are the numbers of docs/rules.md that a policy may vary.
	Rules = world.Rules
	// Size names a preset.
	Size = world.Size
	// Waste is one case that was planted on purpose for findings to find.
	Waste = world.Waste
)

// The presets.
const (
	Small  = world.Small
	Medium = world.Medium
	Large  = world.Large
)

// Preset returns the configuration of a size with seed 1.
func Preset(size Size) Config { return world.Preset(size) }
