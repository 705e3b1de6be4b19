package attempt

import (
	"fmt"
	"testing"

	"gpuledger/internal/ledger"
)

// BenchmarkBuild resolves 100,000 workloads: pods of gangs and tasks, lives of
// Slurm jobs, with labels, events and checkpoints.
func BenchmarkBuild(b *testing.B) {
	s := newStory()
	for n := range 200 {
		s.node(fmt.Sprint("n", n), func(n *Node) { n.Life.To = at(1 << 20) })
	}
	for i := range 50_000 {
		from := i
		s.pod(fmt.Sprint("p", i), fmt.Sprint("PyTorchJob/train-", i/16%500), from, from+90, worker(i%16),
			on(fmt.Sprint("n", i%200)), failed("Error"),
			labelled("team", "a", "app.kubernetes.io/name", "x", "app.kubernetes.io/instance", "y", "project", "z"))
		s.life(fmt.Sprint(i/4), fmt.Sprint("n", i%200), from, from+10, from+90, ledger.Failed,
			labelled("user", "u", "account", "a", "queue", "q", "job-name", "j"))
		if i%10 == 0 {
			s.saved(fmt.Sprint("p", i), from+20)
			s.happened("Pod", fmt.Sprint("p", i), ledger.WorkloadRestarted, from+30, "Error")
		}
	}
	for b.Loop() {
		s.build()
	}
}

// BenchmarkOneName is the worst of names: one run of 20,000 tries, and one pod
// with 20,000 segments.
func BenchmarkOneName(b *testing.B) {
	s := newStory().node("n1", func(n *Node) { n.Life.To = at(1 << 20) })
	for i := range 20_000 {
		s.pod(fmt.Sprint("p", i), "Job/j", i*10, i*10+9, failed("Error"))
		s.pod(fmt.Sprint("g", i), job, i*10, i*10+9, failed("Error"))
		s.segment("agent", fmt.Sprint("run-", i%50), 0, i*10, i*10+15, "")
	}
	s.pod("agent", "Deployment/agent", 0, 200_000)
	for b.Loop() {
		s.build()
	}
}
