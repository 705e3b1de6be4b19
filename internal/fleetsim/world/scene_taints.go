package world

// CPUStretch is a stretch in which something else takes the machine's CPU.
type CPUStretch struct {
	Span
	Level int64 // 1/10000
}

// GPUTaint is on machines with GPUs. Some pools were set up by hand and lack it.
const GPUTaint = "nvidia.com/gpu"

// taints decides which machines keep pods without GPUs away: all of a pool or
// none.
func (b *builder) taints() {
	for _, n := range b.Nodes {
		switch n.Pool {
		case "g6-spare": // set up by hand
		case "p4d-lab":
			n.Tainted = true
		default:
			n.Tainted = NewRNG(b.Config.Seed, 67, WordHash(b.Config.Cluster+"/"+n.Pool)).Chance(75)
		}
	}
}
