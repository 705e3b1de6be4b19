package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"gpuledger/ingest/remotewrite"
	"gpuledger/ingest/series"
)

// steps is a clock that stands still until the test moves it.
type steps struct {
	mu    sync.Mutex
	now   time.Time
	waits chan chan time.Time // one per After, in order
}

func newSteps() *steps {
	return &steps{now: time.Date(2026, 9, 21, 14, 0, 0, 0, time.UTC), waits: make(chan chan time.Time)}
}

func (c *steps) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *steps) After(time.Duration) <-chan time.Time {
	fire := make(chan time.Time, 1)
	c.waits <- fire
	return fire
}

// step waits until the agent waits, and lets d pass.
func (c *steps) step(d time.Duration) {
	fire := <-c.waits
	c.mu.Lock()
	c.now = c.now.Add(d)
	c.mu.Unlock()
	fire <- c.now
}

// server accepts remote_write and answers as set.
type server struct {
	mu     sync.Mutex
	answer int
	after  string
	got    []string // "name{labels} value@ms", each request's sorted
	asked  int
	token  string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.token = r.Header.Get("Authorization")
	if s.answer != 0 {
		w.Header().Set("Retry-After", s.after)
		http.Error(w, "not now", s.answer)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	version, err := remotewrite.Negotiate(r.Header.Get("Content-Type"), r.Header.Get("Content-Encoding"))
	if err != nil {
		panic(err)
	}
	msg, err := remotewrite.Unpack(nil, body, 1<<20)
	if err != nil {
		panic(err)
	}
	var d remotewrite.Decoder
	if _, err := d.Walk(version, msg, func(one *remotewrite.Series) error {
		name, ls, f := one.Labels(nil)
		if f != nil {
			return errors.New(f.Reason)
		}
		text := name + "{"
		for _, l := range ls {
			text += l.Name + "=" + l.Value + ","
		}
		for _, p := range one.Samples {
			s.got = append(s.got, fmt.Sprintf("%s} %v@%d", text, p.Value, p.Ms))
		}
		return nil
	}); err != nil {
		panic(err)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *server) set(answer int, after string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer, s.after = answer, after
}

func (s *server) take() (got []string, asked int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	got, asked = s.got, s.asked
	s.got, s.asked = nil, 0
	slices.Sort(got)
	return got, asked
}

const document = `<nvidia_smi_log><timestamp>Mon Sep 21 14:13:20 2026</timestamp><attached_gpus>1</attached_gpus><gpu id="1:0">
<product_name>Tesla T4</product_name><uuid>GPU-1</uuid><utilization><gpu_util>42 %</gpu_util></utilization>
<processes><process_info><pid>77</pid><type>C</type><process_name>python3</process_name><used_memory>5 MiB</used_memory></process_info></processes>
</gpu></nvidia_smi_log>`

const podUID = "1d2c3b4a-0000-4000-8000-00000000000f"

func proc(user int) fstest.MapFS {
	return fstest.MapFS{
		"stat":    {Data: fmt.Appendf(nil, "cpu  %d 0 0 %d 0 0 0 0 0 0\nbtime 1790000000\n", user, 1000-user)},
		"meminfo": {Data: []byte("MemTotal:  1000 kB\nMemAvailable:   400 kB\n")},
		"77/cgroup": {
			Data: []byte("0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" +
				strings.ReplaceAll(podUID, "-", "_") + ".slice/cri-1.scope\n"),
		},
	}
}

type running struct {
	clock  *steps
	server *server
	stop   func()
}

func start(t *testing.T, dir string, smi func(args []string) ([]byte, error)) *running {
	t.Helper()
	r := &running{clock: newSteps(), server: &server{}}
	web := httptest.NewServer(r.server)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Run(ctx, Options{
			Server: web.URL, Token: "secret", Node: "n1", Cluster: "c1",
			Interval: 15 * time.Second, Batch: 30 * time.Second, Dir: dir,
			NvidiaSMI: func(_ context.Context, args ...string) ([]byte, error) { return smi(args) },
			Proc:      proc(250), Client: web.Client(), Clock: r.clock,
			Log: slog.New(slog.DiscardHandler), Random: func() float64 { return 0 },
		})
	}()
	r.stop = sync.OnceFunc(func() {
		cancel()
		for {
			select {
			case <-r.clock.waits:
				continue
			case err := <-done:
				if err != nil {
					t.Error(err)
				}
				web.Close()
				return
			}
		}
	})
	t.Cleanup(r.stop)
	return r
}

func works([]string) ([]byte, error) { return []byte(document), nil }

func TestSamplesReachTheServer(t *testing.T) {
	r := start(t, t.TempDir(), works)
	for range 6 {
		r.clock.step(15 * time.Second)
	}
	<-r.clock.waits
	got, asked := r.server.take()
	if asked != 3 || r.server.token != "Bearer secret" {
		t.Errorf("%d requests, token %q", asked, r.server.token)
	}
	const device = "cluster=c1,gpu=0,hostname=n1,model=Tesla T4,"
	const first = 1789999215000 // 14:00:15
	for _, want := range []string{
		fmt.Sprintf("gpuledger_gpu_utilization_ratio{%suuid=GPU-1,} 0.42@%d", device, first),
		fmt.Sprintf("gpuledger_gpu_process_memory_bytes{%spid=77,pod_uid=%s,uuid=GPU-1,} 5.24288e+06@%d", device, podUID,
			first),
		fmt.Sprintf("gpuledger_host_memory_used_bytes{cluster=c1,hostname=n1,} 614400@%d", first),
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

// Four readings of a minute, each an average of the 14 s before it: the newest sample of the minute is the mean of all,
// and is in the minute that it measures.
func TestAMinuteIsTheMeanOfItsReadings(t *testing.T) {
	busy := []int{10, 20, 30, 44, 100}
	n := 0
	r := start(t, t.TempDir(), func(args []string) ([]byte, error) {
		if !slices.Contains(args, "UTILIZATION") {
			return []byte(strings.Replace(document, "</utilization>",
				"</utilization><gpu_power_readings><power_draw>"+fmt.Sprint(100*(n+1))+" W</power_draw></gpu_power_readings>",
				1)), nil
		}
		n++
		return fmt.Appendf(nil, "GPU 1:0\n  GPU Utilization Samples\n   Duration : 14.00 sec\n   Avg : %d %%\n",
			busy[min(n, len(busy))-1]), nil
	})
	for range 6 {
		r.clock.step(15 * time.Second)
	}
	<-r.clock.waits
	got, _ := r.server.take()
	const first = 1789999215000 // 14:00:15, of 14:00:01 to 14:00:15
	for _, want := range []string{
		fmt.Sprintf("} 0.1@%d", first-7000), fmt.Sprintf("} 0.15@%d", first+15000-7000),
		fmt.Sprintf("} 0.2@%d", first+30000-7000),
		fmt.Sprintf("} 0.26@%d", first+45000-7000), // at 14:01:00, for 14:00
		fmt.Sprintf("} 1@%d", first+60000-7000),
		fmt.Sprintf("} 200@%d", first+30000), fmt.Sprintf("} 400@%d", first+45000), // power has its own time
	} {
		if !slices.ContainsFunc(got, func(g string) bool { return strings.HasSuffix(g, want) }) {
			t.Errorf("%s is missing in\n%s", want, strings.Join(got, "\n"))
		}
	}
}

func TestNothingIsLostWhileTheServerIsAway(t *testing.T) {
	dir := t.TempDir()
	r := start(t, dir, works)
	r.server.set(http.StatusServiceUnavailable, "1")
	for range 8 {
		r.clock.step(15 * time.Second)
	}
	<-r.clock.waits // the last reading is done
	r.stop()
	if got, asked := r.server.take(); len(got) != 0 || asked == 0 {
		t.Fatalf("%d samples, %d requests", len(got), asked)
	}
	again := start(t, dir, works) // another process
	again.clock.step(15 * time.Second)
	<-again.clock.waits
	got, _ := again.server.take()
	if want := 8; countOf(got, "gpuledger_gpu_utilization_ratio") != want {
		t.Errorf("%d samples after the server came back, want %d", countOf(got, "gpuledger_gpu_utilization_ratio"), want)
	}
	if len(slices.Compact(slices.Clone(got))) != len(got) {
		t.Error("a sample came twice")
	}
}

func countOf(got []string, name string) int {
	n := 0
	for _, g := range got {
		if strings.HasPrefix(g, name+"{") {
			n++
		}
	}
	return n
}

func TestRefusedBatchesDoNotStopTheOthers(t *testing.T) {
	r := start(t, t.TempDir(), works)
	r.server.set(http.StatusBadRequest, "")
	for range 3 {
		r.clock.step(15 * time.Second)
	}
	r.server.set(0, "")
	for range 2 {
		r.clock.step(15 * time.Second)
	}
	<-r.clock.waits
	if got, _ := r.server.take(); len(got) == 0 {
		t.Error("nothing came after the refusal")
	}
}

func TestHostIsReportedWithoutDriver(t *testing.T) {
	r := start(t, t.TempDir(), func([]string) ([]byte, error) { return nil, errors.New("no such file") })
	for range 3 {
		r.clock.step(15 * time.Second)
	}
	<-r.clock.waits
	got, _ := r.server.take()
	if countOf(got, "gpuledger_host_memory_used_bytes") == 0 || countOf(got, "gpuledger_gpu_utilization_ratio") != 0 {
		t.Error(got)
	}
}

func TestBufferIsBounded(t *testing.T) {
	b, err := openBuffer(t.TempDir(), 25)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := b.add(fmt.Appendf(nil, "batch %04d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if b.dropped != 3 || len(b.batches) != 2 || b.size != 20 {
		t.Errorf("%+v", b)
	}
	if body, ok, err := b.oldest(); err != nil || !ok || string(body) != "batch 0003" {
		t.Errorf("%q %v %v", body, ok, err)
	}
	if err := os.WriteFile(b.path(99, partEnd), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := openBuffer(b.dir, 25)
	if err != nil || len(again.batches) != 2 || again.next != 6 {
		t.Errorf("%+v %v", again, err)
	}
}

func TestHolders(t *testing.T) {
	for group, want := range map[string]string{
		"0::/kubepods.slice/kubepods-pod1d2c3b4a_0000_4000_8000_00000000000f.slice/cri-containerd-9.scope\n": podUID,
		"4:memory:/kubepods/burstable/pod" + podUID + "/9\n":                                                 podUID,
		"0::/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0\n":                                    "job 4711",
		"9:cpuset:/slurm/uid_1000/job_4711\n":                                                                "job 4711",
		"0::/user.slice/user-1000.slice/session-3.scope\n":                                                   "",
	} {
		h := holderOfGroup(group)
		got := h.PodUID
		if h.Job != "" {
			got = "job " + h.Job
		}
		if got != want {
			t.Errorf("%s: %q, want %q", group, got, want)
		}
	}
	fs := fstest.MapFS{
		"stat":   {Data: []byte("cpu 1 1 1 1\nbtime 1790000000\n")},
		"5/stat": {Data: []byte("5 (a) b) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 12345 0 0\n")},
	}
	if got := holderOf(fs, 5).Started; got != 1790000123 {
		t.Errorf("started %d", got)
	}
	if got := holderOf(fs, 6).Started; got != 0 {
		t.Errorf("a process that is gone started %d", got)
	}
}

func TestCPUIsTheShareSinceTheSampleBefore(t *testing.T) {
	h := host{proc: fstest.MapFS{"stat": {Data: []byte("cpu 100 0 0 900 0 0 0 0\n")}, "meminfo": {Data: []byte("")}}}
	said := map[string]string{}
	visit := func(name string, v series.Decimal) { said[name] = v.String() }
	if err := h.sample(visit); err != nil || len(said) != 0 {
		t.Fatal(err, said)
	}
	h.proc = fstest.MapFS{"stat": {Data: []byte("cpu 175 0 0 925 0 0 0 0\n")}, "meminfo": {Data: []byte("")}}
	if err := h.sample(visit); err != nil || said[metricCPU] != "750000e-6" {
		t.Error(err, said)
	}
}
