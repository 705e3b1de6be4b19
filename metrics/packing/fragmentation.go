package packing

import "gpuledger/internal/catalog/mig"

// million is 1 in ppm.
const million = 1_000_000

// Index is the fragmentation index of a layout in ppm, rounded half up: 1 − compute slices of the largest profile that
// could still be placed ÷ compute slices outside the layout's instances; 0 without any such slices.
func Index(r mig.Rest) int64 {
	if r.Compute == 0 {
		return 0
	}
	lost := int64(r.Compute - min(r.Largest, r.Compute))
	return (2*lost*million + int64(r.Compute)) / (2 * int64(r.Compute))
}

// Task is a class of tasks that ask for GPUs.
type Task struct {
	Model string // required GPU model; empty: any
	GPUs  int64  // ppm of one GPU: below a million a part of one, else whole GPUs
	Count int64  // number of tasks in the class
}

// Node is the free part of one machine.
type Node struct {
	Model string
	Free  []int64 // ppm per GPU
}

// Measure is F and R of section 3.3 of the reference, in ppm of a GPU times
// tasks: rate = Stuck ÷ Free.
type Measure struct {
	Stuck int64 // Σ over nodes and tasks: free parts that the task cannot use
	Free  int64 // Σ over nodes of free parts, once per task
}

// FGD measures the free GPU parts that tasks cannot use where they are ("Beware of Fragmentation", USENIX ATC 2023):
// per node and task class, all free parts if the task cannot run on the node at all, else the free parts of GPUs that
// are smaller than the task's need. CPU and memory count as enough.
func FGD(nodes []Node, tasks []Task) Measure {
	var m Measure
	for _, n := range nodes {
		var free, whole int64
		largest := int64(0)
		for _, r := range n.Free {
			free += r
			whole += r / million
			largest = max(largest, r)
		}
		for _, t := range tasks {
			m.Free += free * t.Count
			if t.GPUs <= 0 || t.Model != "" && t.Model != n.Model || t.GPUs >= million && whole*million < t.GPUs ||
				t.GPUs < million && largest < t.GPUs {
				m.Stuck += free * t.Count
				continue
			}
			for _, r := range n.Free {
				if r < min(t.GPUs, million) {
					m.Stuck += r * t.Count
				}
			}
		}
	}
	return m
}
