package openmetrics

import "gpuledger/ingest/series"

const exported = "exported_"

// attach adds the labels of the target to those of a series.
func (o *Options) attach(ls series.Labels) series.Labels {
	for _, t := range o.Target {
		at := indexOf(ls, t.Name)
		switch {
		case at < 0:
			ls = append(ls, t)
		case o.HonorLabels && ls[at].Value != "":
		case ls[at].Value == "":
			ls[at].Value = t.Value
		default:
			renamed := exported + t.Name
			for indexOf(ls, renamed) >= 0 || indexOf(o.Target, renamed) >= 0 {
				renamed = exported + renamed
			}
			ls = append(ls, series.Label{Name: renamed, Value: ls[at].Value})
			ls[at].Value = t.Value
		}
	}
	if o.DefaultCluster != "" && ls.Get("cluster") == "" {
		ls = append(ls, series.Label{Name: "cluster", Value: o.DefaultCluster})
	}
	return ls
}

func indexOf(ls series.Labels, name string) int {
	for i := range ls {
		if ls[i].Name == name {
			return i
		}
	}
	return -1
}
