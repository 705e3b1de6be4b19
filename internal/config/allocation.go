package config

import "fmt"

// Allocation says how node-days are computed.
type Allocation struct {
	// Workers is how many nodes each process computes at once: allocate, and
	// serve for the calculations of all processes; 0: serve helps nobody, and
	// who allocates works on 2.
	Workers int `yaml:"workers,omitempty"`
}

// MaxWorkers is the most that a process may compute at once: each may need a
// connection.
const MaxWorkers = 64

func (a Allocation) check() error {
	if a.Workers < 0 || a.Workers > MaxWorkers {
		return fmt.Errorf("allocation.workers: 0 to %d are possible", MaxWorkers)
	}
	return nil
}
