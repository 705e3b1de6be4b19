package serving

import (
	"fmt"
	"strings"
	"testing"

	"gpuledger/allocation/policy"
	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

const day period.Second = 1_790_035_200 // a UTC midnight

var wholeDay = period.Interval{From: day, To: day + period.Day}

// counter is an hour of samples at the start of each given minute.
func counter(values map[int]int64) ledger.Minutes {
	var m ledger.Minutes
	for minute, v := range values {
		m.Known |= 1 << minute
		m.Value[minute] = v * 1000
	}
	return m
}

// replica holds the whole day and costs amount USD, used, in each of hours.
func replica(n byte, service, name string, amount string, hours ...period.Second) Replica {
	r := Replica{ID: ledger.ID{n}, Cluster: "c", Namespace: "ns", Name: name, Kind: "Deployment", OwnerName: service,
		Service: service, OwnerModel: "owned",
		Hold: wholeDay, Policy: policy.Serving{OutputWeight: 4000}, Hours: map[period.Second]*Held{}}
	for _, h := range hours {
		effective, gpu := money.MustParse(amount), money.MustParse("1")
		r.Hours[h] = &Held{Held: true, GPUHours: gpu, UsedGPUHours: gpu, ActiveGPUHours: money.MustParse("0.5"),
			Money: []Money{
				{
					Currency: "USD", State: "open", GPUHours: gpu,
					Causes: []CauseCost{{Cause: ledger.Used, Effective: &effective, Billed: &effective}},
				},
			}}
	}
	return r
}

func process(pod, server, model string) Process { return Process{"c", "ns", pod, server, model, ""} }

// hourOf is one hour in which a counter rose from 0 by values.
func hourOf(at period.Second, rises map[string]int64) Hour {
	h := Hour{at, map[string]ledger.Minutes{}}
	for name, by := range rises {
		h.Counters[name] = counter(map[int]int64{1: 0, 50: by})
	}
	return h
}

func rowsOf(t *testing.T, d *Day) []string {
	t.Helper()
	rows, err := d.Rows()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range rows {
		text := fmt.Sprintf("%s %s %s %s", r.Replica, r.Model, r.Server, r.Currency)
		for _, a := range []*money.Amount{r.Effective, r.Input} {
			if a == nil {
				text += " -"
			} else {
				text += " " + a.String()
			}
		}
		text += " " + string(r.Basis)
		if c := r.Served; c != nil {
			for _, n := range []*int64{c.Requests, c.Failed, c.Inferences, c.PromptTokens, c.CachedTokens, c.GeneratedTokens} {
				if n == nil {
					text += " -"
				} else {
					text += fmt.Sprint(" ", *n)
				}
			}
		}
		out = append(out, text)
	}
	return out
}

func wantRows(t *testing.T, d *Day, want ...string) {
	t.Helper()
	if got := rowsOf(t, d); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestWhatIsServedSharesTheCost(t *testing.T) {
	llm := map[string]int64{
		"requests/stop": 90, "requests/abort": 10, "prompt_tokens": 1000,
		"cached_prompt_tokens": 200, "generation_tokens": 300,
	}
	for _, c := range []struct {
		name     string
		replicas []Replica
		count    func(*Day)
		want     []string
	}{
		{"by weighted tokens, aborts apart", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
			d.Count(process("chat-1", "vllm", "llama"), []Hour{hourOf(day, llm)})
		}, []string{"chat-1 llama vllm USD 10 4 weighted 90 10 90 1000 200 300"}},
		{"two models on one replica, by tokens", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
			d.Count(process("chat-1", "vllm", "llama"), []Hour{
				hourOf(day, map[string]int64{"prompt_tokens": 300, "generation_tokens": 0}),
			})
			d.Count(process("chat-1", "vllm", "mistral"), []Hour{
				hourOf(day, map[string]int64{"prompt_tokens": 0, "generation_tokens": 25}),
			})
		}, []string{"chat-1 llama vllm USD 7.5 7.5 weighted - - - 300 - 0",
			"chat-1 mistral vllm USD 2.5 0 weighted - - - 0 - 25"}},
		{"without tokens by requests", []Replica{replica(1, "see", "see-1", "9", day)}, func(d *Day) {
			d.Count(process("see-1", "triton", "a"), []Hour{
				hourOf(day, map[string]int64{"requests/success/1/GPU-x": 2, "requests/error/REJECTED": 1, "inferences/1": 16}),
			})
			d.Count(process("see-1", "triton", "b"), []Hour{hourOf(day, map[string]int64{"requests/success/1/GPU-x": 1})})
		}, []string{"see-1 a triton USD 6 1.2 stated 2 1 16 - - -", "see-1 b triton USD 3 0.6 stated 1 0 1 - - -"}},
		{"without traffic equally", []Replica{replica(1, "see", "see-1", "9", day)}, func(d *Day) {
			d.Count(process("see-1", "triton", "b"), []Hour{hourOf(day, map[string]int64{"requests/success": 0})})
			d.Count(process("see-1", "triton", "a"), []Hour{hourOf(day, map[string]int64{"requests/success": 0})})
		}, []string{"see-1 a triton USD 4.5 0.9 stated 0 0 0 - - -", "see-1 b triton USD 4.5 0.9 stated 0 0 0 - - -"}},
		{"without series to the owner's model", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(*Day) {},
			[]string{"chat-1 owned  USD 10 2 stated"}},
		{"without series of its own as its service",
			[]Replica{
				replica(1, "chat", "chat-1", "10", day), replica(2, "chat", "chat-2", "6", day),
				replica(3, "chat", "chat-3", "8", day+3600),
			}, func(d *Day) {
				d.Count(process("chat-1", "vllm", "llama"), []Hour{hourOf(day, llm)})
			}, []string{"chat-1 llama vllm USD 10 4 weighted 90 10 90 1000 200 300",
				"chat-2 llama vllm USD 6 2.4 weighted", "chat-3 llama vllm USD 8 3.2 weighted"}},
		{"by seconds where both are counted", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
			d.Count(process("chat-1", "vllm", "llama"), []Hour{
				hourOf(day, map[string]int64{"generation_tokens": 5, "prefill_seconds_sum": 1, "decode_seconds_sum": 9}),
			})
		}, []string{"chat-1 llama vllm USD 10 1 measured - - - - - 5"}},
		{"engines, not the router in front", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
			d.Count(process("chat-1", "vllm", "llama"), []Hour{hourOf(day, map[string]int64{"requests/stop": 5})})
			router := hourOf(day, map[string]int64{"requests/api": 6})
			router.Counters["layer/router"] = counter(map[int]int64{1: 1})
			d.Count(process("chat-1", "ray_serve", ""), []Hour{router})
		}, []string{"chat-1 llama vllm USD 10 2 stated 5 0 5 - - -"}},
		{"the router where no engine counts", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
			router := hourOf(day, map[string]int64{"requests/api": 6, "requests_aborted/api": 1})
			router.Counters["layer/router"] = counter(map[int]int64{1: 1})
			d.Count(process("chat-1", "ray_serve", ""), []Hour{router})
			d.Count(process("chat-1", "vllm", "llama"), []Hour{hourOf(day, map[string]int64{"requests_running": 5})})
		}, []string{"chat-1 owned ray_serve USD 10 2 stated 5 1 5 - - -"}},
		{"one of two servers that name one model: the one with tokens", []Replica{replica(1, "chat", "chat-1", "10", day)},
			func(d *Day) {
				d.Count(process("chat-1", "nim", "llama"), []Hour{hourOf(day, map[string]int64{"requests/stop": 5})})
				d.Count(process("chat-1", "vllm", "llama"), []Hour{
					hourOf(day, map[string]int64{"requests/stop": 5, "generation_tokens": 10}),
				})
			}, []string{"chat-1 llama vllm USD 10 0 weighted 5 0 5 - - 10"}},
		{"two families of one server: what one does not count, the other does",
			[]Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
				d.Count(process("chat-1", "triton", "llama"), []Hour{
					hourOf(day, map[string]int64{"requests/success/1": 358, "inferences/1": 400, "queue_seconds_sum/1": 9}),
				})
				d.Count(process("chat-1", "vllm", "llama"), []Hour{
					hourOf(day, map[string]int64{"prompt_tokens": 500, "generation_tokens": 100}),
				})
			}, []string{"chat-1 llama vllm USD 10 5.555555555556 weighted 358 0 400 500 - 100"}},
		{"a family that names no model is of the one that others name", []Replica{replica(1, "chat", "chat-1", "10", day)},
			func(d *Day) {
				d.Count(process("chat-1", "vllm", ""), []Hour{hourOf(day, map[string]int64{"requests/stop": 5})})
				d.Count(process("chat-1", "vllm", "llama"), []Hour{hourOf(day, map[string]int64{"prompt_tokens": 5})})
			}, []string{"chat-1 llama vllm USD 10 10 weighted 5 0 5 5 - -"}},
		{"of two that are named it is none: the owner's", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
			for _, model := range []string{"", "a", "b"} {
				d.Count(process("chat-1", "vllm", model), []Hour{hourOf(day, map[string]int64{"requests/stop": 5})})
			}
		}, []string{"chat-1 a vllm USD 3.333333333334 0.666666666667 stated 5 0 5 - - -",
			"chat-1 b vllm USD 3.333333333333 0.666666666667 stated 5 0 5 - - -",
			"chat-1 owned vllm USD 3.333333333333 0.666666666667 stated 5 0 5 - - -"}},
		{"one counts tokens, another requests alone: by requests", []Replica{replica(1, "chat", "chat-1", "10", day)},
			func(d *Day) {
				d.Count(process("chat-1", "triton", "embed"), []Hour{hourOf(day, map[string]int64{"requests/success": 6})})
				d.Count(process("chat-1", "vllm", "llama"), []Hour{
					hourOf(day, map[string]int64{"requests/stop": 4, "generation_tokens": 100}),
				})
			}, []string{"chat-1 embed triton USD 6 1.2 stated 6 0 6 - - -", "chat-1 llama vllm USD 4 0 weighted 4 0 4 - - 100"}},
		{"no measure in common: alike, never 0 to what was served", []Replica{replica(1, "chat", "chat-1", "10", day)},
			func(d *Day) {
				d.Count(process("chat-1", "triton", "embed"), []Hour{hourOf(day, map[string]int64{"requests/success": 6})})
				d.Count(process("chat-1", "vllm", "llama"), []Hour{hourOf(day, map[string]int64{"generation_tokens": 100})})
			}, []string{"chat-1 embed triton USD 5 1 stated 6 0 6 - - -", "chat-1 llama vllm USD 5 0 weighted - - - - - 100"}},
		{"engines of one process add up", []Replica{replica(1, "chat", "chat-1", "10", day)}, func(d *Day) {
			for _, engine := range []string{"0", "1"} {
				p := process("chat-1", "vllm", "llama")
				p.Engine = engine
				d.Count(p, []Hour{hourOf(day, map[string]int64{"requests/stop": 5})})
			}
		}, []string{"chat-1 llama vllm USD 10 2 stated 10 0 10 - - -"}},
		{"another class that serves, and one that does not",
			[]Replica{of("Job", replica(1, "", "batch-1", "10", day)), of("Job", replica(2, "", "train-1", "10", day))},
			func(d *Day) {
				d.Count(process("batch-1", "vllm", "llama"), []Hour{hourOf(day, map[string]int64{"requests/stop": 5})})
				d.Count(process("train-1", "mine", ""), []Hour{hourOf(day, map[string]int64{"queue_seconds_sum": 5})})
			}, []string{"batch-1 llama vllm USD 10 2 stated 5 0 5 - - -"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := NewDay(wholeDay, c.replicas, NewModels(nil))
			c.count(d)
			wantRows(t, d, c.want...)
		})
	}
}

func of(kind string, r Replica) Replica {
	r.Kind, r.OwnerName = kind, strings.TrimSuffix(r.Name, "-1")
	return r
}

// Rises count in the hour of their later sample; resets, starts and consecutive days lose and repeat nothing.
func TestRisesByHour(t *testing.T) {
	counters := func(values ...map[int]int64) []Hour {
		var out []Hour
		for i, v := range values {
			if v != nil {
				out = append(out, Hour{day + period.Second(i-1)*3600, map[string]ledger.Minutes{"generation_tokens": counter(v)}})
			}
		}
		return out
	}
	for _, c := range []struct {
		name  string
		hours []Hour
		want  string // generated by hour
	}{
		{
			"the hour before gives the first value",
			counters(map[int]int64{59: 100}, map[int]int64{0: 107, 30: 110}, map[int]int64{5: 115}), "10 5 -",
		},
		{"without it the first sample counts nothing", counters(nil, map[int]int64{0: 107, 30: 110}), "3 - -"},
		{"one sample is no rise", counters(nil, nil, map[int]int64{10: 50}), "- - -"},
		{"a fall is a reset", counters(map[int]int64{59: 100}, map[int]int64{10: 4, 20: 9}), "9 - -"},
		{
			"a gap of an hour goes to the hour after it", counters(map[int]int64{59: 100}, nil, map[int]int64{0: 160}), "- 60 -",
		},
		{"no traffic is 0", counters(map[int]int64{59: 100}, map[int]int64{0: 100}), "0 - -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := NewDay(wholeDay, []Replica{replica(1, "chat", "chat-1", "1", day, day+3600, day+7200)}, NewModels(nil))
			d.Count(process("chat-1", "vllm", "llama"), c.hours)
			rows, err := d.Rows()
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range rows {
				if r.Served == nil || r.Served.GeneratedTokens == nil {
					got = append(got, "-")
				} else {
					got = append(got, fmt.Sprint(*r.Served.GeneratedTokens))
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
	h := Hour{
		day, map[string]ledger.Minutes{
			"generation_tokens": counter(map[int]int64{10: 40}), "start/generation_tokens": counter(nil),
		},
	}
	start := h.Counters["start/generation_tokens"]
	start.Known, start.Value[10] = 1<<10, int64(day+500)*1000
	h.Counters["start/generation_tokens"] = start
	d := NewDay(wholeDay, []Replica{replica(1, "chat", "chat-1", "1", day)}, NewModels(nil))
	d.Count(process("chat-1", "vllm", "llama"), []Hour{h})
	wantRows(t, d, "chat-1 llama vllm USD 1 0 weighted - - - - - 40")
}

// Two currencies and states are divided separately; counts appear once.
func TestTwoCurrencies(t *testing.T) {
	r := replica(1, "chat", "chat-1", "1", day)
	third, gpu := money.MustParse("0.000000000001"), money.MustParse("0.25")
	r.Hours[day].Money = append(r.Hours[day].Money,
		Money{
			Currency: "EUR", State: "final", GPUHours: gpu, Causes: []CauseCost{{Cause: ledger.HeldIdle, Effective: &third}},
		},
		Money{Currency: "USD", State: "final", Causes: []CauseCost{{Cause: ledger.Host}}})
	d := NewDay(wholeDay, []Replica{r}, NewModels(nil))
	d.Count(process("chat-1", "vllm", "a"), []Hour{hourOf(day, map[string]int64{"generation_tokens": 1})})
	d.Count(process("chat-1", "vllm", "b"), []Hour{hourOf(day, map[string]int64{"generation_tokens": 2})})
	wantRows(t, d, "chat-1 a vllm EUR 0 0 weighted", "chat-1 a vllm USD - - weighted",
		"chat-1 a vllm USD 0.333333333333 0 weighted - - - - - 1",
		"chat-1 b vllm EUR 0.000000000001 0 weighted", "chat-1 b vllm USD - - weighted",
		"chat-1 b vllm USD 0.666666666667 0 weighted - - - - - 2")
}

func TestUnbilledHoursAndCoverage(t *testing.T) {
	r := replica(1, "chat", "chat-1", "1", day)
	r.Hours[day].Money = nil
	r.Hold = period.Interval{From: day + 1800, To: day + 3600}
	d := NewDay(wholeDay, []Replica{r}, NewModels(nil))
	h := Hour{day, map[string]ledger.Minutes{"requests/stop": counter(map[int]int64{20: 1, 30: 2, 31: 5, 40: 9})}}
	d.Count(process("chat-1", "vllm", "a"), []Hour{h})
	rows, err := d.Rows()
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	q := rows[0].Held
	if rows[0].Currency != "" || rows[0].State != "provisional" || rows[0].Effective != nil ||
		q.HeldMinutes.String() != "30" || q.SeenMinutes.String() != "3" ||
		q.ReplicaHours.String() != "0.5" || *rows[0].Served.Requests != 8 || !rows[0].CountsRequests || rows[0].CountsTokens {
		t.Errorf("%+v %+v", rows[0], q)
	}
}

// A replica of several pods counts once, and its workers are shared like its leader.
func TestReplicasOfSeveralPods(t *testing.T) {
	leader, worker := replica(1, "big", "big-0", "6", day), replica(2, "big", "big-0-1", "4", day)
	leader.Kind, worker.Kind = "LeaderWorkerSet", "LeaderWorkerSet"
	d := NewDay(wholeDay, []Replica{leader, worker}, NewModels(nil))
	d.Count(process("big-0", "vllm", "a"), []Hour{hourOf(day, map[string]int64{"generation_tokens": 3})})
	wantRows(t, d, "big-0 a vllm USD 6 0 weighted - - - - - 3", "big-0 a vllm USD 4 0 weighted")
	rows, _ := d.Rows()
	for _, r := range rows {
		if r.Held.ReplicaHours.String() != "0.5" || r.Held.SeenMinutes.String() != "1" ||
			r.Held.HeldMinutes.String() != "30" {
			t.Errorf("%+v", r.Held)
		}
	}
}

func TestNamesUsedAgainAndUnknownPods(t *testing.T) {
	first, second := replica(1, "chat", "chat-0", "1", day), replica(2, "chat", "chat-0", "1", day)
	first.Hold.To, second.Hold.From = day+1200, day+1500
	d := NewDay(wholeDay, []Replica{second, first}, NewModels(nil))
	d.Count(process("chat-0", "vllm", "a"), []Hour{
		{day, map[string]ledger.Minutes{"requests/stop": counter(map[int]int64{1: 0, 10: 4, 22: 6, 30: 1})}},
	})
	d.Count(process("gone", "vllm", "a"), []Hour{hourOf(day, map[string]int64{"requests/stop": 5})})
	wantRows(t, d, "chat-0 a vllm USD 1 0.2 stated 6 0 6 - - -", "chat-0 a vllm USD 1 0.2 stated 1 0 1 - - -")
	if d.Leftover.Processes != 1 || d.Leftover.First.Pod != "gone" {
		t.Errorf("%+v", d.Leftover)
	}
}

func TestMeanings(t *testing.T) {
	for name, want := range map[string]string{
		"requests/stop":                           "0 false 0 start/requests/stop ",
		"requests/ABORT":                          "1 false 0 start/requests/ABORT ",
		"requests/stop/@acme%2Feu":                "0 false 0 start/requests/stop/@acme%2Feu acme/eu",
		"latency_seconds_bucket/0.5/x":            "0 true 500000000 start/latency_seconds/x ",
		"ttft_seconds_bucket/+Inf":                "0 true 9223372036854775807 start/ttft_seconds ",
		"prompt_tokens_by_source/local_compute":   "no",
		"prompt_tokens_by_source":                 "no",
		"prompt_tokens_by_source/local_cache_hit": "9 false 0 start/prompt_tokens_by_source/local_cache_hit ",
		"latency_seconds_bucket/x":                "no",
		"latency_seconds_bucket":                  "no",
		"layer/router":                            "no",
		"kv_cache_ratio":                          "no",
	} {
		m, ok := meaningOf(name)
		got := fmt.Sprintf("%d %t %d %s %s", m.kind, m.bucket, m.bound, m.start, m.tenant)
		if !ok {
			got = "no"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
