package truth

import (
	"strings"

	"gpuledger/internal/fleetsim/world"
)

// knowModels notes the models that workloads of any cluster are labelled with.
func knowModels(parts []*truth) {
	known := map[string]bool{}
	for _, t := range parts {
		t.known = known
		for _, p := range t.World.Pods {
			if v := world.FirstLabel(p.Labels, "label_model"); v != "" && p.Scheduled < t.World.To {
				known[v] = true
			}
		}
	}
}

// answering is rule 16.11 for the simulator's names: the model behind a name if there is such a model, else the name,
// which then has no version.
func (t *truth) answering(p *world.Pod) (model, quantised string) {
	if t.known[p.Answers] {
		return p.Answers, p.Quantised
	}
	return p.Model, ""
}

// behind is the same for a name that Triton serves: a model, else one of a deployment whose name ends in its function.
func (t *truth) behind(name string) string {
	if model, ok := strings.CutSuffix(name, "-serve"); ok && !t.known[name] && t.known[model] {
		return model
	}
	return name
}
