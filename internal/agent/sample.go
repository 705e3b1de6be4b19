package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"gpuledger/ingest/nvidiasmi"
	"gpuledger/ingest/series"
)

// Command runs a program and returns its output. An error with output is the program's own: both are returned.
type Command func(ctx context.Context, args ...string) ([]byte, error)

// sampler reads nvidia-smi and the host.
type sampler struct {
	o    *Options
	host host

	layout   []byte    // from the last -L and mig -lgi
	layoutAt time.Time // the time of that call
	instance string    // the GPU instances at that time

	means  minuteMeans
	gauges bool // the driver gives no averages: logged once
}

// layoutEvery is how long the names of GPU instances are reused while their ids stay the same.
const layoutEvery = 10 * time.Minute

// errNoGPU means that the machine has no working driver.
var errNoGPU = errors.New("nvidia-smi lists no GPU")

// sample visits all series of this moment. Utilisation is an average over the seconds before it and gets the time of
// their middle, so that it counts in the minute that it measures.
func (s *sampler) sample(
	ctx context.Context, at time.Time, visit func(at time.Time, name string, ls series.Labels, value series.Decimal),
) error {
	if s.means == nil {
		s.means = minuteMeans{}
	}
	hostLabels := series.Labels{{Name: "hostname", Value: s.o.Node}}
	hostErr := s.host.sample(func(name string, value series.Decimal) {
		visit(at, name, hostLabels, s.means.add(name, "", at, value))
	})
	if hostErr != nil {
		hostErr = fmt.Errorf("sample the host: %w", hostErr)
	}
	snapshot, err := s.snapshot(ctx, at)
	if err != nil {
		return errors.Join(fmt.Errorf("sample the GPUs: %w", err), hostErr)
	}
	snapshot.Host = ""
	averages := s.average(ctx, snapshot)
	holder := func(p nvidiasmi.Process) nvidiasmi.Holder { return holderOf(s.o.Proc, p.PID) }
	snapshot.Series(s.o.Node, holder, func(name string, ls series.Labels, value series.Decimal) {
		device, when := ls.Get("uuid")+ls.Get("gi"), at
		if a := averages[ls.Get("uuid")]; a.Of(name) {
			when = at.Add(-a.Over / 2)
		}
		visit(when, name, ls, s.means.add(name, device, when, value))
	})
	return hostErr
}

// average replaces gauges that cover only a moment by averages, and returns these by UUID. A driver without averages
// keeps the gauges.
func (s *sampler) average(ctx context.Context, snapshot *nvidiasmi.Snapshot) map[string]nvidiasmi.Average {
	text, err := s.o.NvidiaSMI(ctx, "-q", "-d", "UTILIZATION")
	if err != nil && !s.gauges && ctx.Err() == nil {
		s.gauges = true
		s.o.Log.Warn("nvidia-smi gives no averages; utilisation is read as gauges, which cover a second at most", "error",
			err)
	}
	byBus, byUUID := nvidiasmi.Averages(text), map[string]nvidiasmi.Average{}
	for i := range snapshot.GPUs {
		g := &snapshot.GPUs[i]
		if a, ok := byBus[g.BusID]; ok {
			g.With(a)
			byUUID[g.UUID] = a
		}
	}
	return byUUID
}

// snapshot reads the document of all GPUs and adds the names of MIG instances, which the document lacks.
func (s *sampler) snapshot(ctx context.Context, at time.Time) (*nvidiasmi.Snapshot, error) {
	text, runErr := s.o.NvidiaSMI(ctx, "-q", "-x")
	snapshot, problems, err := first(ctx, text)
	switch {
	case err != nil:
		return nil, errors.Join(err, runErr)
	case snapshot == nil && runErr != nil:
		return nil, runErr
	case snapshot == nil:
		return nil, errNoGPU
	}
	for _, p := range problems {
		s.o.Log.Warn("nvidia-smi gave a value that cannot be read", "what", p)
	}
	instances := instancesOf(snapshot)
	if instances == "" {
		return snapshot, nil
	}
	if instances != s.instance || at.Sub(s.layoutAt) >= layoutEvery {
		s.layout = s.names(ctx)
		s.instance, s.layoutAt = instances, at
	}
	named, _, err := first(ctx, append(bytes.Clone(s.layout), text...))
	if err != nil || named == nil {
		return snapshot, err
	}
	return named, nil
}

// names reads the profiles of the GPU instances. Listing them may need more rights than reading values: missing
// profiles are derived from memory sizes.
func (s *sampler) names(ctx context.Context) []byte {
	var out []byte
	for _, args := range [][]string{{"-L"}, {"mig", "-lgi"}} {
		text, err := s.o.NvidiaSMI(ctx, args...)
		if err != nil {
			s.o.Log.Warn("nvidia-smi could not list MIG instances; their profiles follow from their memory", "args", args,
				"error", err)
			continue
		}
		out = append(append(out, text...), '\n')
	}
	return out
}

func first(ctx context.Context, text []byte) (snapshot *nvidiasmi.Snapshot, problems []string, err error) {
	problems, err = nvidiasmi.Read(ctx, bytes.NewReader(text), time.Local, func(s *nvidiasmi.Snapshot) error {
		if snapshot == nil {
			snapshot = s
		}
		return nil
	})
	return snapshot, problems, err
}

// instancesOf is the set of GPU instances as text; empty without MIG.
func instancesOf(s *nvidiasmi.Snapshot) string {
	var b bytes.Buffer
	for _, g := range s.GPUs {
		for _, in := range g.Instances {
			fmt.Fprintf(&b, "%s/%d/%d/%d ", g.UUID, in.GPUInstance, in.ComputeInstance, in.MemoryMiB)
		}
	}
	return b.String()
}
