package config

import (
	"errors"
	"fmt"
)

// Allocation says how node-days are computed.
type Allocation struct {
	// Workers is how many nodes each process computes at once: allocate, and
	// serve for the calculations of all processes; 0: serve helps nobody, and
	// who allocates works on 2.
	Workers int `yaml:"workers,omitempty"`
	// ShareFrom is the fewest node-days that are shared with other processes;
	// 0: 256, which one computes in some seconds.
	ShareFrom int `yaml:"share_from,omitempty"`
}

// MaxWorkers is the most that a process may compute at once: each may need a
// connection.
const MaxWorkers = 64

func (a Allocation) check() error {
	if a.Workers < 0 || a.Workers > MaxWorkers {
		return fmt.Errorf("allocation.workers: give a number from 0 to %d", MaxWorkers)
	}
	if a.ShareFrom < 0 {
		return errors.New("allocation.share_from: give a number of node-days, 0 or more")
	}
	return nil
}
