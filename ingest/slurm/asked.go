package slurm

import (
	"strconv"
	"strings"

	"gpuledger/ingest/jsonstream"
)

// asked are the lists of generic resources that Slurm keeps in addition to TRES, by the unit
// that each counts for.
type asked struct {
	given                              []gres // AllocGRES: of each node
	perNode, perJob, perTask, perSlots []gres // slots: sockets
	tasks, nodes                       int64  // 0: unknown
}

// got are the GPUs that a job has by these lists, if TRES have none: its given ones, else its
// requests by job, by task, by node, by socket.
func (a *asked) got() gpus {
	if g := gresTotal(a.given).times(max(a.nodes, 1)); !g.none() {
		return g
	}
	return a.wanted()
}

// wanted are the GPUs that a job requests by these lists. Of a count by socket, only one per
// node is certain.
func (a *asked) wanted() gpus {
	for _, of := range []struct {
		list  []gres
		times int64
	}{{a.perJob, 1}, {a.perTask, max(a.tasks, a.nodes, 1)}, {a.perNode, max(a.nodes, 1)}, {a.perSlots, max(a.nodes, 1)}} {
		if g := gresTotal(of.list).times(of.times); !g.none() {
			return g
		}
	}
	return gpus{}
}

// askedBy reads the lists of a row.
func askedBy(f *fields, nodes int64) *asked {
	a := &asked{
		given: parseGRES(f[colAllocGRES]), perNode: parseGRES(f[colReqGRES]), perJob: parseGRES(f[colPerJob]),
		perTask: parseGRES(f[colPerTask]), perSlots: parseGRES(f[colPerSocket]), nodes: nodes,
	}
	if len(a.perNode) == 0 {
		a.perNode = parseGRES(f[colPerNode])
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(f[colTasks]), 10, 32); err == nil && n > 0 {
		a.tasks = n
	}
	return a
}

// askedIn reads the lists of a job in JSON.
func askedIn(o jsonstream.Object, nodes int64) *asked {
	list := func(path ...string) []gres { return parseGRES(o.Text(path...)) }
	a := &asked{
		perNode: list("tres_per_node"), perJob: list("tres_per_job"), perTask: list("tres_per_task"),
		perSlots: list("tres_per_socket"), nodes: nodes,
	}
	if len(a.perNode) == 0 {
		a.perNode = list("gres")
	}
	if len(a.given) == 0 {
		a.given = list("allocated_gres")
	}
	for _, name := range []string{"tasks", "num_tasks", "ntasks"} {
		if n, ok := o.Int(name); ok && n > 0 && n < maxCount {
			a.tasks = n
			break
		}
	}
	return a
}

// saysGPUs reports whether a list of trackable resources counts GPUs at all.
func saysGPUs(tres string) bool {
	tres = strings.ToLower(tres)
	return strings.Contains(tres, "gres/gpu=") || strings.Contains(tres, "gres/gpu:")
}

// settle sets a job's GPUs from its details and lists if TRES have none: sites that do not
// track GPUs have them nowhere else. A started job got what it had requested.
func (r *record) settle(a *asked) {
	if r.req.none() {
		r.req = a.wanted()
	}
	if r.alloc.none() && r.state.phase != waiting {
		if r.alloc = r.detailed(); r.alloc.none() {
			r.alloc = a.got()
		}
		if r.alloc.none() && r.start > 0 {
			r.alloc = r.req
		}
	}
	if r.state.phase == waiting && r.req.none() { // squeue shows its requests as allocated
		r.req = r.alloc
	}
}

// detailed is the sum of all nodes' details.
func (r *record) detailed() gpus {
	var all []gres
	for _, node := range r.details {
		all = append(all, node...)
	}
	return gresTotal(all)
}
