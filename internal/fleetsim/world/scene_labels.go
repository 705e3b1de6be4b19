package world

import (
	"slices"
	"strconv"
	"strings"
)

// units are the business units of teams.
var units = map[string]string{
	Foundation.Name: "research", Research.Name: "research", Ranking.Name: "search",
	Vision.Name: "retail", Speech.Name: "retail", Platform.Name: "engineering",
}

// datasets are the training data of models.
var datasets = map[string]string{
	"atlas-70b": "web-2026-08", "atlas-13b": "web-2026-08", "atlas-moe": "web-2026-09",
	"ranker-large": "clicks-2026-09", "ranker-base": "clicks-2026-09",
	"shelf-vit": "shelves-v4", "ocr-small": "receipts-v2", "whisper-tuned": "calls-2026-07",
	"diarize": "calls-2026-07", "toy-lm": "tiny-web", "probe": "tiny-web",
}

// tell adds further owner labels to pods that name their team. All pods of a workload get the same.
func (b *builder) tell() {
	for _, p := range b.Pods {
		team, stage := FirstLabel(p.Labels, "label_team", "label_owner_team"), FirstLabel(p.Labels, "label_stage")
		if team == "" || len(p.Slots) == 0 {
			continue
		}
		l := slices.Clone(p.Labels)
		add := func(name, value string) {
			if value != "" {
				l = append(l, Label{name, value})
			}
		}
		add("label_business_unit", units[team])
		model := ""
		for i := range l {
			if l[i].Key == "label_model" {
				if stage == "inference" {
					l[i].Value = baseModel(l[i].Value)
				}
				model = l[i].Value
			}
		}
		r := NewRNG(b.Config.Seed, 68, WordHash(model))
		switch stage {
		case "training", "fine-tuning", "fine_tuning", "evaluation":
			add("label_dataset", datasets[model])
			fallthrough
		case "inference":
			if datasets[model] != "" {
				add("label_model_version", "v"+strconv.FormatInt(r.Between(2, 9), 10))
			}
		}
		add("label_priority", map[string]string{"inference": "high", "training": "normal", "fine-tuning": "normal",
			"fine_tuning": "normal", "evaluation": "normal",
			"batch": "low", "experiment": "low"}[stage])
		p.Labels = l
	}
}

// baseModel is the model that a deployment is named after.
func baseModel(deployment string) string {
	name := strings.TrimPrefix(deployment, "vllm-")
	for model := range datasets {
		if name == model || strings.HasPrefix(name, model+"-") {
			return model
		}
	}
	return deployment
}

// FirstLabel is the first value that is not empty, in the order of the keys.
func FirstLabel(labels []Label, keys ...string) string {
	for _, k := range keys {
		for _, l := range labels {
			if l.Key == k && l.Value != "" {
				return l.Value
			}
		}
	}
	return ""
}
