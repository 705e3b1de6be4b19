package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"

	"gpuledger/bench/rig"
	"gpuledger/internal/localpg"
)

// forms are the formats with the statement of their peer and the ratio that they should reach.
var forms = []struct {
	name, peer string
	want       float64
}{
	{"parquet", "copy (select * from bi_v1.postings) to stdout (format binary)", 0.6},
	{"csv", `\copy (select * from bi_v1.postings) to stdout (format csv, header)`, 0.95},
}

func benchExport(ctx context.Context, server *localpg.Server, o options) error {
	dsn, err := copied(ctx, server, o.rows)
	if err != nil {
		return err
	}
	base, end, err := served(ctx, dsn)
	if err != nil {
		return err
	}
	defer end()
	psql, err := exec.LookPath("psql")
	if err != nil {
		return err
	}
	cpu, err := rig.ProcessorOf(ctx, server.DSN("postgres"))
	if err != nil {
		return err
	}
	for _, f := range forms {
		var ratios []float64
		for turn := range o.turns {
			began, busy := time.Now(), cpu.Time()
			peer := exec.CommandContext(ctx, psql, dsn, "-Xqc", f.peer)
			peer.Stderr = os.Stderr
			if err := peer.Run(); err != nil { // its output goes nowhere
				return fmt.Errorf("psql: %w", err)
			}
			theirs, theirCPU := time.Since(began), peer.ProcessState.UserTime()+peer.ProcessState.SystemTime()
			theirServer := cpu.Time() - busy
			rig.ResetPeak()
			own, busy := rig.Own(), cpu.Time()
			ours, err := download(ctx, base+"/api/v1/postings?format="+f.name)
			if err != nil {
				return err
			}
			ratios = append(ratios, theirs.Seconds()/ours.all.Seconds())
			fmt.Printf("export %s, turn %d: psql %.1f s (processor %.1f + server %.1f), gpuledger %.1f s (%.1f + %.1f) = %.2f ×; "+
				"first byte %.0f ms, %d MB, heap at most %d MB, resident %d MB\n", f.name, turn+1, theirs.Seconds(), theirCPU.Seconds(),
				theirServer.Seconds(), ours.all.Seconds(), (rig.Own() - own).Seconds(),
				(cpu.Time() - busy).Seconds(), ratios[turn], ours.first.Seconds()*1000, ours.bytes>>20, ours.heap>>20,
				rig.Peak()>>20)
		}
		fmt.Printf("export %s of %d postings: %.2f × psql (median of %d; target %.2f)\n", f.name, o.rows, median(ratios),
			o.turns, f.want)
	}
	return nil
}

// taken is what a download took.
type taken struct {
	first, all time.Duration
	bytes      int64
	heap       uint64
}

// download reads an answer to its end.
func download(ctx context.Context, url string) (t taken, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return t, err
	}
	r.Header.Set("Accept-Encoding", "identity")
	done := make(chan struct{})
	defer close(done)
	heap := watchHeap(done)
	began := time.Now()
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return t, err
	}
	defer func() { err = errors.Join(err, a.Body.Close()) }()
	if a.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(a.Body, 1<<10)) // for the message
		return t, fmt.Errorf("%s answers %s: %s", url, a.Status, strings.TrimSpace(string(text)))
	}
	var one [1]byte
	if _, err := io.ReadFull(a.Body, one[:]); err != nil {
		return t, err
	}
	t.first = time.Since(began)
	n, err := io.Copy(io.Discard, a.Body)
	t.all, t.bytes, t.heap = time.Since(began), n+1, heap.Load()
	return t, err
}

// watchHeap keeps the largest heap of this program, which serves, until done.
func watchHeap(done chan struct{}) *atomic.Uint64 {
	var most atomic.Uint64
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			metrics.Read(sample)
			most.Store(max(most.Load(), sample[0].Value.Uint64()))
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return &most
}
