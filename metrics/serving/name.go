package serving

import (
	"regexp"
	"slices"
	"strings"
)

// Join is how a served name was joined to its model (docs/figures.md 16.11).
type Join string

// Joins.
const (
	ByPolicy  Join = "policy"    // served_models names the model
	BySame    Join = "same"      // a model has exactly this name
	ByRule    Join = "rule"      // the rules leave exactly one model
	Unknown   Join = "unknown"   // no model is left: the name itself is the model
	Ambiguous Join = "ambiguous" // several models are left: the name itself is the model
)

// Name is a served name with its model.
type Name struct {
	Served, Model string
	Version       string // quantisation in the served name, beyond its model
	By            Join
	Among         []string // the models of an ambiguous name, sorted
}

// Models are the owners' models, prepared for comparison with served names.
type Models struct {
	named map[string]bool
	last  map[string][]knownModel // by the folded last part of the name
}

type knownModel struct {
	name string
	path []string
}

// NewModels reads the names of models; their order does not count.
func NewModels(names []string) *Models {
	m := &Models{named: map[string]bool{}, last: map[string][]knownModel{}}
	for _, name := range names {
		path := pathOf(name)
		if m.named[name] || len(path) == 0 {
			continue
		}
		m.named[name] = true
		last := path[len(path)-1]
		m.last[last] = append(m.last[last], knownModel{name, path})
	}
	return m
}

// Name finds the model of a served name: a model with exactly that name, else the model that is alike with no ending
// removed, else with one ending removed, then two … The first step with any alike model decides: one model is the
// answer, several are ambiguous.
func (m *Models) Name(served string) Name {
	n := Name{Served: served, Model: served, By: Unknown}
	if m.named[served] {
		n.By = BySame
		return n
	}
	for _, r := range readings(served) {
		switch found := m.alike(r.path); len(found) {
		case 0:
			continue
		case 1:
			n.Model, n.Version, n.By = found[0], r.version, ByRule
		default:
			n.By, n.Among = Ambiguous, found
		}
		return n
	}
	return n
}

// alike lists the models whose path equals the served name's path, compared from the end over the length of the shorter
// one; of these, those that share most of it.
func (m *Models) alike(path []string) []string {
	best := 0
	var found []string
	for _, k := range m.last[path[len(path)-1]] {
		n := min(len(path), len(k.path))
		if !slices.Equal(path[len(path)-n:], k.path[len(k.path)-n:]) {
			continue
		}
		rank := 2 * n
		if len(path) == len(k.path) {
			rank++ // both paths are used up
		}
		if rank > best {
			best, found = rank, nil
		}
		if rank == best {
			found = append(found, k.name)
		}
	}
	slices.Sort(found)
	return found
}

// Quantisation is the quantisation at the end of a served name, beyond the name of its model; empty: none.
func Quantisation(served, model string) string {
	all := readings(served)
	if len(all) == 0 {
		return ""
	}
	said := all[len(all)-1].version
	if said != "" && strings.HasSuffix("-"+fold(model), "-"+said) {
		return ""
	}
	return said
}

// Endings of a folded name that do not identify the model.
var (
	quantised = regexp.MustCompile(`^(?:i?q[1-8](?:-(?:k|k-[sml]|0|1|xxs|xs|s|m|nl))?|u?int[2348]|(?:nv|mx)?fp[468]|nf4|[bf]p?f?(?:16|32)|` +
		`w[2348]a(?:4|8|16)|[234568]-?bits?|g(?:32|64|128)|(?:32|64|128)g|awq|gptq|gguf|ggml|bnb|exl[23]|hqq|aqlm|quantized)$`)
	versioned = regexp.MustCompile(`^(?:v[0-9]+(?:-[0-9]+){0,2}|rev-?[0-9]+|(?:checkpoint|ckpt|step|epoch)-?[0-9]+|latest|stable|main|final|` +
		`20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])|20[0-9]{2}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)$`)
	operated = regexp.MustCompile(`^(?:vllm|sglang|tgi|triton|tensorrt(?:-llm)?|trt(?:-?llm)?|onnx|kserve|torchserve|server|serving|serve|svc|service|` +
		`inference|infer|endpoint|predictor|deployment|deploy|api|online|prod|production|staging|canary|blue|green|preview|dev)$`)
	// folder is a last part of a path that does not name a model.
	folder = regexp.MustCompile(`^(?:v?[0-9]+|latest|stable|main|final|models?|weights)$`)
)

// longestEnding is the most words in an ending: those of a date.
const longestEnding = 3

// reading is a served name without some of its endings.
type reading struct {
	path    []string // folded, at least one part
	version string   // the quantisation among these endings, in the order of the name
}

// readings of a served name, the most complete first. A tag is an ending like others; a tag that is not a known ending
// is removed whole, last.
func readings(served string) []reading {
	name, tag := untagged(served)
	path := pathOf(name)
	if len(path) == 0 {
		return nil
	}
	if tag = fold(tag); tag == "" {
		return shortened(reading{path: path})
	}
	last := path[len(path)-1]
	tagged := shortened(reading{path: withLast(path, last+"-"+tag)})
	of := shortened(reading{path: []string{"-" + tag}})
	return append(tagged, shortened(reading{path, of[len(of)-1].version})...)
}

// shortened removes one ending after another from the last part of a path.
func shortened(r reading) []reading {
	out := []reading{r}
	for {
		last := r.path[len(r.path)-1]
		rest, end := ending(last)
		switch {
		case len(r.path) > 1 && folder.MatchString(last):
			r.path = r.path[:len(r.path)-1]
		case end == "" || rest == "":
			return out
		default:
			r.path = withLast(r.path, rest)
			if quantised.MatchString(end) {
				r.version = strings.TrimSuffix(end+"-"+r.version, "-")
			}
		}
		out = append(out, r)
	}
}

// ending removes the shortest ending, in whole words: a longer one may belong to the model's name.
func ending(name string) (rest, end string) {
	at := len(name)
	for range longestEnding {
		if at = strings.LastIndexByte(name[:at], '-'); at < 0 {
			break
		}
		end = name[at+1:]
		if quantised.MatchString(end) || versioned.MatchString(end) || operated.MatchString(end) {
			return name[:at], end
		}
	}
	return name, ""
}

func withLast(path []string, last string) []string {
	return append(slices.Clone(path[:len(path)-1]), last)
}

// untagged splits a digest or alias (@sha256:…) and a tag (:v2) from a name.
func untagged(served string) (name, tag string) {
	served = strings.TrimRight(served, "/")
	slash := strings.LastIndexByte(served, '/') + 1
	last, _, _ := strings.Cut(served[slash:], "@")
	last, tag, _ = strings.Cut(last, ":")
	return served[:slash] + last, tag
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// pathOf splits a name into folded parts: registry, organisation, model.
func pathOf(name string) []string {
	var out []string
	for part := range strings.SplitSeq(scheme.ReplaceAllString(name, ""), "/") {
		if part = fold(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// fold unifies spellings: it ignores case and treats separators alike.
func fold(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune("-_.: ", r) })
	return strings.Join(words, "-")
}
