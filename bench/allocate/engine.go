package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gpuledger/allocation"
	"gpuledger/allocation/policy"
)

// batchNodes is how many nodes are held in memory at once: generated, allocated with the clock running, then replaced.
const batchNodes = 12

// turn is one contestant's result of its turn. Work is in device-minutes.
type turn struct {
	work      int64
	wall, cpu time.Duration
	rows      int64 // rows of the result: usage, and postings of money
}

// rate is device-minutes per second.
func (t turn) rate() float64 { return float64(t.work) / t.wall.Seconds() }

// question is a policy that SQL can implement, too: every idle minute counts, and starting up is not a separate cause.
func question() policy.Policy {
	p := policy.Default()
	p.Version, p.IdleMinutes, p.OverheadLimit = "bench", 1, 0
	return p
}

// allocateFleet computes every node-day of the fleet on all cores, node by
// node, and returns the time that the engine took: NewNode and Day, not the
// making of facts. check sees every chunk when it is not nil, off the clock.
func allocateFleet(
	ctx context.Context, f fleet, pol policy.Policy, check func(*nodeFacts, *allocation.Chunk),
) (turn, error) {
	var sum turn
	batch := make([]nodeFacts, min(batchNodes, f.nodes()))
	for from := 0; from < f.nodes(); from += len(batch) {
		if err := ctx.Err(); err != nil {
			return sum, err
		}
		now := batch[:min(len(batch), f.nodes()-from)]
		if err := onAllCores(len(now), func(i int) error { f.fill(from+i, &now[i]); return nil }); err != nil {
			return sum, err
		}
		var rows atomic.Int64
		cpu, start := processorTime(), time.Now()
		err := onAllCores(len(now), func(i int) error {
			n, err := allocateNode(&now[i], pol, nil)
			rows.Add(n)
			return err
		})
		sum.wall += time.Since(start)
		sum.cpu += processorTime() - cpu
		sum.rows += rows.Load()
		if err != nil {
			return sum, err
		}
		for i := range now {
			if check == nil {
				break
			}
			if _, err := allocateNode(&now[i], pol, check); err != nil {
				return sum, err
			}
		}
	}
	sum.work = f.deviceMinutes()
	return sum, nil
}

// chunks are passed from node to node, as in the allocator that saves them.
var chunks = sync.Pool{New: func() any { return new(allocation.Chunk) }}

func allocateNode(n *nodeFacts, pol policy.Policy, check func(*nodeFacts, *allocation.Chunk)) (rows int64, err error) {
	engine, err := allocation.NewNode(n.input, pol)
	if err != nil {
		return 0, err
	}
	chunk, _ := chunks.Get().(*allocation.Chunk)
	defer chunks.Put(chunk)
	for i := range n.days {
		if err := engine.DayInto(chunk, n.days[i]); err != nil {
			return rows, err
		}
		rows += int64(len(chunk.Usage))
		if check != nil {
			check(n, chunk)
		}
	}
	return rows, nil
}

// onAllCores does n pieces of work, each once.
func onAllCores(n int, work func(int) error) error {
	var wg sync.WaitGroup
	var next atomic.Int64
	errs := make([]error, runtime.GOMAXPROCS(0))
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[w] = work(i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// processorTime is the time that this process has used on all cores.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// forgetPeak resets the peak of this process's memory, if the system can (Linux).
func forgetPeak() {
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		fmt.Fprintln(os.Stderr, "bench-allocate: peak memory is that of the whole run:", err)
	}
}

// peak is the most memory that the process had since forgetPeak, in bytes.
func peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kB, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kB << 10
}
