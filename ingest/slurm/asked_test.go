package slurm

import (
	"strings"
	"testing"
)

// GPUs are read from every place where Slurm lists them: sites that do not track gres/gpu in
// TRES have them only in lists of generic resources.
func TestGPUsWhereverSlurmNamesThem(t *testing.T) {
	const when = " 02T01:00:00..02T02:00:00 succeeded, # m0"
	row := func(columns, values string) string {
		return "JobID|State|Submit|Start|End|NodeList|" + columns +
			"\n7|COMPLETED|2026-11-02T00:00:00|2026-11-02T01:00:00|2026-11-02T02:00:00|n1|" + values + "\n"
	}
	for _, c := range []struct{ columns, values, want string }{
		{"AllocTRES", "billing=4,cpu=4,gres/gpu=2,gres/gpu:a100=2", "gpu=2"},
		{"AllocTRES", "gres:gpu:a100=2", "gpu=2"},
		{"ReqTRES", "cpu=4,gres/gpu:a100=2", "gpu=2"},
		{"AllocTRES|ReqTRES", "billing=4,cpu=4,node=1|cpu=4,gres/gpu=2", "gpu=2"},
		{"AllocTRES|TresPerNode", "cpu=4,node=1|gres/gpu:2", "gpu=2"},
		{"AllocTRES|TresPerNode", "cpu=4,node=1|gres:gpu:a100:2", "gpu=2"},
		{"TresPerNode", "gres/gpu=2", "gpu=2"},
		{"TresPerNode", "gres/gpu", "gpu=1"},
		{"TresPerJob", "gres/gpu:h100=3", "gpu=3"},
		{"TresPerTask|NTasks", "gres/gpu:1|4", "gpu=4"},
		{"TresPerTask|NTasks", "cpu=2,gres/gpu=1|4", "gpu=4"},
		{"TresPerSocket", "gres:gpu:1", "gpu=1"},
		{"Gres", "gpu:tesla:4", "gpu=4"},
		{"Gres|TresPerNode", "(null)|gres/gpu:4", "gpu=4"},
		{"AllocGRES", "gpu:4(S:0-1)", "gpu=4"},
		{"AllocGRES|ReqGRES", "gpu:2|gpu:4", "gpu=2"},
		{"GresDetail", "gpu:a100:2(IDX:0,3)", "gpu=2"},
		{"GresDetail", "gpu(IDX:0-2)", "gpu=3"},
		{"GresDetail", "gpu:nvidia_a100_1g.5gb:2(IDX:0-1)", "mig_1g_5gb=2"},
		{"TresPerNode", "gres/gpu:a100_3g.20gb:1", "mig_3g_20gb=1"},
		{"TresPerNode", "gres/gpu:1g.10gb.me=2", "mig_1g_10gb_me=2"},
		{"TresPerNode", "gres/shard:3", "gpu_shared=3"},
		{"TresPerNode", "gres/mps:50", "gpu_shared=50"},
		{"AllocTRES", "cpu=1,gres/mps=50", "gpu_shared=50"},
		{"AllocTRES|ReqTRES", "cpu=4,gres/gpu=0|gres/gpu=2", ""},
	} {
		want := []string{"7@n1 " + c.want + when}
		if c.want == "" {
			want = nil
		}
		check(t, c.columns+" "+c.values, row(c.columns, c.values), Options{}, want...)
	}
	for name, fields := range map[string]string{
		"TresPerNode": "TRES=cpu=4,node=2,billing=4\n   TresPerNode=gres/gpu:2",
		"Gres":        "TRES=cpu=4,node=2,billing=4\n   Gres=gpu:a100:2",
		"null first":  "Gres=(null)\n   TresPerNode=gres:gpu:2",
		"ReqTRES":     "ReqTRES=cpu=4,gres/gpu=4\n   AllocTRES=cpu=4,node=2",
		"per job":     "TresPerJob=gres/gpu:4",
		"per task":    "NumTasks=4\n   TresPerTask=gres/gpu=1",
		"details":     "Nodes=n1 CPU_IDs=0 GRES=gpu:a100:2(IDX:0-1)\n     Nodes=n2 CPU_IDs=0 GRES=gpu:a100:2(IDX:2-3)",
	} {
		text := "JobId=7 JobName=x\n   JobState=COMPLETED\n   SubmitTime=2026-11-02T00:00:00\n   " +
			"StartTime=2026-11-02T01:00:00 EndTime=2026-11-02T02:00:00\n" +
			"   NodeList=n[1-2]\n   NumNodes=2\n   " + fields + "\n"
		check(t, "scontrol, "+name, text, Options{}, "7@n1 gpu=2"+when, "7@n2 gpu=2"+strings.Replace(when, "m0", "m1", 1))
	}
	for name, fields := range map[string]string{
		"tres_per_node": `"tres_alloc_str":"cpu=4,node=2","tres_per_node":"gres/gpu:2"`,
		"gres:":         `"tres_per_node":"gres:gpu:a100:2"`,
		"tres_per_job":  `"tres_per_job":"gres/gpu:4"`,
		"tres_per_task": `"tasks":{"set":true,"infinite":false,"number":4},"tres_per_task":"gres/gpu=1"`,
		"tres_req_str":  `"tres_req_str":"cpu=4,gres/gpu=4"`,
		"gres_detail":   `"tres_alloc_str":"cpu=4","gres_detail":["gpu:2(IDX:0-1)","gpu:2(IDX:0-1)"]`,
		"requested":     `"tres":{"allocated":[{"type":"cpu","count":4}],"requested":[{"type":"gres","name":"gpu","count":4}]}`,
	} {
		text := `{"jobs":[{"job_id":7,"cluster":"c","partition":"p","job_state":"COMPLETED","submit_time":1793577600,"start_time":1793581200,"end_time":1793584800,"nodes":"n[1-2]",` + fields + `}]}`
		check(t, "json, "+name, text, Options{}, "7@n1 gpu=2"+when, "7@n2 gpu=2"+strings.Replace(when, "m0", "m1", 1))
	}
}
