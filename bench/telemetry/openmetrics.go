package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fileGPUs is the fleet of the OpenMetrics file.
const fileGPUs = 1000

// openMetrics measures the import of a file, from the file to published facts.
func (r *rig) openMetrics(ctx context.Context, hours, rounds int) error {
	path := filepath.Join(r.dir, fmt.Sprintf("fleet-%d-%dh.om", fileGPUs, hours))
	samples := fileGPUs * len(metrics) * hours * 60
	if err := writeOpenMetrics(path, hours); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	fmt.Printf("openmetrics: %d GPUs × %d series × %d minutes, %d MB of text\n", fileGPUs, len(metrics), hours*60,
		info.Size()>>20)
	var rates []float64
	for i := range rounds {
		got, err := r.importFile(ctx, path)
		if err != nil {
			return err
		}
		rate := float64(samples) / got.wall.Seconds()
		rates = append(rates, rate)
		fmt.Printf("round %d  import       %8.0f samples/s  %5d MB peak  %5.1f s CPU  %.2f s\n", i+1, rate, got.peak>>20,
			got.cpu.Seconds(), got.wall.Seconds())
	}
	slices.Sort(rates)
	fmt.Printf("openmetrics: %.0f samples/s (median of %d)\n", rates[len(rates)/2], rounds)
	return nil
}

// imported is the cost of an import.
type imported struct {
	wall, cpu time.Duration
	peak      int64
}

func (r *rig) importFile(ctx context.Context, path string) (got imported, err error) {
	dsn, drop, err := r.database(ctx)
	if err != nil {
		return got, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	if out, err := exec.CommandContext(ctx, r.program, "migrate", "--database-url", dsn).CombinedOutput(); err != nil {
		return got, fmt.Errorf("%w: %s", err, out)
	}
	cmd := exec.CommandContext(ctx, r.program, "import", "openmetrics", path, "--database-url", dsn)
	start := time.Now()
	peak := make(chan int64, 1)
	ended := make(chan struct{})
	out, err := cmd.StdoutPipe()
	if err != nil {
		return got, err
	}
	if err := cmd.Start(); err != nil {
		return got, err
	}
	go func() { peak <- watch(cmd.Process.Pid, ended) }()
	var text []byte
	scan := bufio.NewScanner(out)
	for scan.Scan() {
		text = append(append(text, scan.Bytes()...), '\n')
	}
	err = cmd.Wait()
	got.wall = time.Since(start)
	close(ended)
	got.peak = <-peak
	got.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if err != nil {
		return got, fmt.Errorf("%w: %s", err, text)
	}
	return got, nil
}

// watch returns the peak memory of a process while it lives.
func watch(pid int, ended <-chan struct{}) (peak int64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return peak
		case <-tick.C:
			peak = max(peak, statusField(pid, "VmHWM:"))
		}
	}
}

// writeOpenMetrics writes the file unless it exists: series by series within an hour, like Prometheus' own export of a
// block.
func writeOpenMetrics(path string, hours int) (err error) {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	file, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	var line []byte
	for _, m := range metrics {
		out.WriteString("# TYPE " + m.name + " gauge\n")
	}
	for h := range hours {
		for g := range fileGPUs {
			var pairs []string
			for _, l := range labels(g) {
				pairs = append(pairs, fmt.Sprintf("%s=%q", l.Name, l.Value))
			}
			text := strings.Join(pairs, ",")
			for _, m := range metrics {
				prefix := m.name + "{" + text + "} "
				for minute := range 60 {
					step := h*60 + minute
					line = append(line[:0], prefix...)
					line = strconv.AppendFloat(line, m.value(g, step), 'f', -1, 64)
					line = append(line, ' ')
					line = strconv.AppendInt(line, from.Add(time.Duration(step)*time.Minute).Unix(), 10)
					line = append(line, '\n')
					out.Write(line)
				}
			}
		}
	}
	out.WriteString("# EOF\n")
	if err := errors.Join(out.Flush(), file.Close()); err != nil {
		return err
	}
	return os.Rename(path+".part", path)
}
