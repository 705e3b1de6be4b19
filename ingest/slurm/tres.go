package slurm

import (
	"regexp"
	"strconv"
	"strings"

	"gpuledger/internal/ledger"
)

// gpus are the GPUs of a job or of its part on one node.
type gpus struct {
	whole  int64            // whole GPUs
	mig    map[string]int64 // MIG profile → instances
	shards int64            // of gres/shard
	model  string           // Slurm's type of whole GPUs; of several, the one with most
}

func (g gpus) none() bool { return g.whole == 0 && len(g.mig) == 0 && g.shards == 0 }

// maxCount bounds a plausible count of GPUs.
const maxCount = 1 << 20

// parseTRES reads a list of trackable resources: cpu=4,gres/gpu:a100=2,gres/gpu=2. Rows give
// GPUs with their type, without it, or both (docs/rules.md 4.9): the number is the count
// without a type, else the sum of those with one. bad is true if a GPU's count is not a number.
func parseTRES(text string) (g gpus, bad bool) {
	var c gresCount
	for part := range strings.SplitSeq(text, ",") {
		name, count, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			continue
		}
		name, isGres := gresName(name)
		if !isGres {
			continue
		}
		n, ok := parseCount(strings.TrimSpace(count))
		if resource, _, _ := strings.Cut(name, ":"); !ok && isGPU(resource) {
			bad = true
			continue
		}
		c.add(name, n)
	}
	return c.gpus(), bad
}

// gresName is the name of a generic resource without its prefix, gres: or gres/.
func gresName(name string) (string, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	for _, mark := range [...]string{"gres/", "gres:"} {
		if rest, ok := strings.CutPrefix(name, mark); ok {
			return rest, true
		}
	}
	return name, false
}

// isGPU reports whether a generic resource is GPUs or shares of them: gpu, shard, mps.
func isGPU(resource string) bool {
	return resource == "gpu" || resource == "shard" || resource == "mps"
}

// gresCount collects counts of generic resources by name and type.
type gresCount struct {
	plain  int64
	typed  map[string]int64
	shards int64
	typedS int64
	any    bool
}

// add takes gpu, gpu:TYPE, shard or shard:TYPE.
func (c *gresCount) add(name string, n int64) {
	resource, kind, typed := strings.Cut(name, ":")
	switch {
	case resource == "gpu" && typed && kind != "":
		if c.typed == nil {
			c.typed = map[string]int64{}
		}
		c.typed[kind] += n
	case resource == "gpu":
		c.plain += n
	case isGPU(resource) && typed:
		c.typedS += n
	case isGPU(resource):
		c.shards += n
	default:
		return
	}
	c.any = true
}

func (c *gresCount) gpus() gpus {
	g := gpus{shards: c.shards}
	if g.shards == 0 {
		g.shards = c.typedS
	}
	var slices, whole, most int64
	for kind, n := range c.typed {
		if profile := migProfile(kind); profile != "" {
			if n > 0 {
				if g.mig == nil {
					g.mig = map[string]int64{}
				}
				g.mig[profile] += n
			}
			slices += n
			continue
		}
		whole += n
		if n > most || n == most && kind < g.model {
			g.model, most = kind, n
		}
	}
	if g.whole = whole; c.plain > 0 {
		g.whole = max(c.plain-slices, 0)
	}
	return g
}

// parseCount reads a count, with the suffixes of --units.
func parseCount(s string) (int64, bool) {
	factor := int64(1)
	if i := len(s) - 1; i > 0 {
		if at := strings.IndexByte("KMG", s[i]&^0x20); at >= 0 && s[i] > '9' {
			factor, s = 1<<(10*(at+1)), s[:i]
		}
	}
	whole, fraction, dotted := strings.Cut(s, ".")
	if dotted && strings.Trim(fraction, "0") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n < 0 || n > maxCount/factor {
		return 0, false
	}
	return n * factor, true
}

var migType = regexp.MustCompile(`(?:^|[_.-])(\d+)g[._](\d+)gb([+._-]me(?:[._-]all)?|[+._-]gfx)?$`)

// migProfile is the MIG profile in a type such as nvidia_a100_1g.5gb, "" for whole GPUs.
func migProfile(kind string) string {
	m := migType.FindStringSubmatch(strings.ToLower(kind))
	if m == nil {
		return ""
	}
	profile := m[1] + "g." + m[2] + "gb"
	if m[3] != "" {
		profile += "+" + strings.ReplaceAll(m[3][1:], "_", ".")
	}
	return profile
}

// requests are the GPUs under Kubernetes' resource names.
func (g gpus) requests() map[string]int64 {
	if g.none() {
		return nil
	}
	out := map[string]int64{}
	if g.whole > 0 {
		out[ledger.ResourceGPU] = g.whole
	}
	if g.shards > 0 {
		out[ledger.ResourceGPUShared] = g.shards
	}
	for profile, n := range g.mig {
		out[ledger.ResourceMIGPrefix+sanitise.Replace(profile)] = n
	}
	return out
}

var sanitise = strings.NewReplacer(".", "_", "+", "_", "-", "_")

// part is the i-th of n parts: equal ones, larger shares first.
func (g gpus) part(i, n int) gpus {
	share := func(total int64) int64 {
		q := total / int64(n)
		if int64(i) < total%int64(n) {
			q++
		}
		return q
	}
	out := gpus{whole: share(g.whole), shards: share(g.shards), model: g.model}
	for profile, total := range g.mig {
		if q := share(total); q > 0 {
			if out.mig == nil {
				out.mig = map[string]int64{}
			}
			out.mig[profile] = q
		}
	}
	return out
}

// times is n times the GPUs.
func (g gpus) times(n int64) gpus {
	out := gpus{whole: g.whole * n, shards: g.shards * n, model: g.model}
	for profile, count := range g.mig {
		if out.mig == nil {
			out.mig = map[string]int64{}
		}
		out.mig[profile] = count * n
	}
	return out
}

// gres is one entry of a list of generic resources on one node:
// gres:gpu:a100:4(IDX:0-3).
type gres struct {
	name    string // gpu or gpu:TYPE
	count   int64
	indices []int64 // of the devices on their node, nil if unknown
}

// parseGRES reads entries of GRES lists: gpu:4, gpu:a100:2(IDX:0,3),
// gres/gpu:a100=4, (null).
func parseGRES(text string) []gres {
	var out []gres
	for _, part := range splitOutside(text) {
		part = strings.TrimSpace(part)
		detail := ""
		if at := strings.IndexByte(part, '('); at >= 0 {
			detail, part = strings.ToUpper(strings.TrimSuffix(part[at+1:], ")")), part[:at]
		}
		part, _ = gresName(part)
		name, count, given := strings.Cut(part, "=")
		n, ok := int64(1), true
		if given {
			n, ok = parseCount(count)
		} else if at := strings.LastIndexByte(part, ':'); at >= 0 {
			if last, isCount := parseCount(part[at+1:]); isCount {
				name, n = part[:at], last
			}
		}
		if resource, _, _ := strings.Cut(name, ":"); !ok || !isGPU(resource) {
			continue
		}
		g := gres{name: name, count: n}
		if _, list, found := strings.Cut(detail, "IDX:"); found {
			list, _, _ = strings.Cut(list, ")")
			g.indices = parseIndices(list)
			if !given && part == name && len(g.indices) > 0 { // gpu(IDX:0-1): without a separate count
				g.count = int64(len(g.indices))
			}
		}
		out = append(out, g)
	}
	return out
}

// maxIndex bounds the index of a device on its node.
const maxIndex = 256

func parseIndices(list string) []int64 {
	var out []int64
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			high = low
		}
		from, err1 := strconv.ParseInt(low, 10, 32)
		to, err2 := strconv.ParseInt(high, 10, 32)
		if err1 != nil || err2 != nil || from < 0 || to < from || to >= maxIndex {
			return nil // N/A, or another text that is not an index
		}
		for i := from; i <= to; i++ {
			out = append(out, i)
		}
	}
	return out
}

// splitOutside splits at commas outside parentheses.
func splitOutside(text string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				out, start = append(out, text[start:i]), i+1
			}
		}
	}
	return append(out, text[start:])
}

// gresTotal adds up entries of one node.
func gresTotal(list []gres) gpus {
	var c gresCount
	for _, g := range list {
		c.add(g.name, g.count)
	}
	return c.gpus()
}
