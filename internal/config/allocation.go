package config

// Allocation configures how node-days are computed.
type Allocation struct {
	// Workers is how many nodes each process computes at once: allocate for itself, and
	// serve for the calculations of all processes; 0: serve does not help other processes, and
	// a process that allocates computes 2 nodes at once.
	Workers int `yaml:"workers,omitempty"`
	// ShareFrom is the least number of node-days that are shared with other processes;
	// 0: 256, which one process computes in a few seconds.
	ShareFrom int `yaml:"share_from,omitempty"`
}

// MaxWorkers is the largest number of workers: each may need a database
// connection.
const MaxWorkers = 64

func (a Allocation) check(fault keyFault) {
	if a.Workers < 0 || a.Workers > MaxWorkers {
		fault("workers", "give a number from 0 to %d", MaxWorkers)
	}
	if a.ShareFrom < 0 {
		fault("share_from", "give a number of node-days, 0 or more")
	}
}
