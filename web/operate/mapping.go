package operate

import (
	"gpuledger/allocation/policy"
	"gpuledger/metrics"
)

// SavedMapping is a stored version of a mapping.
type SavedMapping struct {
	Name      string  `json:"name"`
	ValidFrom *string `json:"valid_from" doc:"Day from which it applies; null: always." example:"2026-11-01"`
	Version   int     `json:"version" doc:"Of this name and day, from 1."`
	Stored    bool    `json:"stored" doc:"false: the newest version has this content already."`
}

// TriedMapping is what a mapping would change.
type TriedMapping struct {
	Name   string              `json:"name"`
	Action string              `json:"action" one:"create update none"`
	Fields []policy.Difference `json:"fields" doc:"How the document differs from the version before it."`
	Money  []metrics.Move      `json:"money" doc:"Who would pay more or less; adds up to 0 over the owners of a key."`
	From   *string             `json:"from" doc:"First day that was computed; null: no computed day." example:"2026-10-01"`
	To     *string             `json:"to" doc:"End of these days, exclusive." example:"2026-12-01"`
	Days   int                 `json:"node_days" doc:"Computed for this answer."`
	// Waiting are node-days whose facts changed since they were computed.
	Waiting int `json:"node_days_waiting" doc:"Not allocated yet, so part of their difference has other causes."`
}
