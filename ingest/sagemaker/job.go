package sagemaker

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gpuledger/ingest/jsonstream"
	"gpuledger/ingest/records"
	"gpuledger/internal/catalog"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// job is a job in SageMaker's description.
type job struct {
	family                     *family
	name, arn, status, failure string
	second                     string // secondary status
	created, start, end, seen  period.Second
	steps                      []step
	instance                   string // the type of most instances
	instances                  int64
	gpus                       int64 // of all instances, -1 unknown
	spot, planned              bool
	billable, training, warm   int64 // seconds, -1 unknown
	labels                     map[string]string
	summary                    bool // a line of a list, with few fields
}

// step is a secondary status.
type step struct {
	status   string
	from, to period.Second
	message  string
}

// statuses are possible for jobs of every kind.
var statuses = []string{"InProgress", "Completed", "Failed", "Stopping", "Stopped", "Deleting"}

// fieldError is the fault of one member.
type fieldError struct{ column, reason, detail string }

func readJob(o jsonstream.Object, f *family) (*job, *fieldError) {
	text := func(path ...string) string { return records.Clean(o.Text(path...)) }
	j := &job{
		family: f, arn: text(f.arn), name: text(f.name), status: text(f.status),
		second: text("SecondaryStatus"), gpus: -1, labels: map[string]string{},
	}
	if region, _ := place(j.arn); region == "" {
		return nil, &fieldError{f.arn, "not an ARN", fmt.Sprintf("%q", records.Clip(j.arn))}
	}
	j.name = cmp.Or(j.name, j.arn[strings.LastIndexByte(j.arn, '/')+1:])
	j.failure = cmp.Or(text("FailureReason"), text("ExitMessage"))
	for _, t := range []struct {
		name string
		at   *period.Second
	}{{"CreationTime", &j.created}, {f.start, &j.start}, {f.end, &j.end}, {"LastModifiedTime", &j.seen}} {
		var bad *fieldError
		if *t.at, bad = timeOf(t.name, o.Get(t.name)); bad != nil {
			return nil, bad
		}
	}
	if j.created == 0 && j.start == 0 {
		return nil, &fieldError{"CreationTime", "missing value", "the job has neither a creation time nor a start time"}
	}
	if why := period.Impossible(j.created, j.start, j.end, j.seen); why != "" {
		return nil, &fieldError{f.end, "impossible time", why}
	}
	if !slices.Contains(statuses, j.status) {
		return nil, &fieldError{
			f.status, "unknown status", fmt.Sprintf("%q; expected one of %s", records.Clip(j.status), strings.Join(statuses, ", ")),
		}
	}
	for _, v := range o.List("SecondaryStatusTransitions") {
		t, ok := v.(map[string]any)
		if !ok {
			continue
		}
		one := jsonstream.Object(t)
		s := step{status: one.Text("Status"), message: records.Clean(one.Text("StatusMessage"))}
		var bad *fieldError
		if s.from, bad = timeOf("SecondaryStatusTransitions.StartTime", one["StartTime"]); bad != nil {
			return nil, bad
		}
		if s.to, bad = timeOf("SecondaryStatusTransitions.EndTime", one["EndTime"]); bad != nil {
			return nil, bad
		}
		if s.from > 0 {
			j.steps = append(j.steps, s)
		}
	}
	slices.SortStableFunc(j.steps, func(a, b step) int { return cmp.Compare(a.from, b.from) })
	j.summary = o[f.resources] == nil && len(j.steps) == 0
	j.spot = o.Text("EnableManagedSpotTraining") == "true"
	j.planned = o.Text(f.resources, "TrainingPlanArn") != ""
	j.billable, j.training = seconds(o, "BillableTimeInSeconds"), seconds(o, "TrainingTimeInSeconds")
	j.warm = seconds(o, "WarmPoolStatus", "ResourceRetainedBillableTimeInSeconds")
	j.resources(o)
	j.describe(o)
	return j, nil
}

// timeOf reads a time: a text, or seconds or milliseconds since 1970.
func timeOf(name string, v any) (period.Second, *fieldError) {
	text := jsonstream.Text(v)
	if mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e"); found &&
		strings.Trim(mantissa+exponent, "0123456789.+-") == "" {
		// 1.7E9, as some programs write large numbers
		if r, ok := new(big.Rat).SetString(text); ok && len(exponent) <= 3 {
			text = r.FloatString(3)
		}
	}
	at, err := records.Instant(text, nil)
	if err != nil {
		return 0, &fieldError{name, "not a time", fmt.Sprintf("%q: %v", records.Clip(text), err)}
	}
	return at, nil
}

func seconds(o jsonstream.Object, path ...string) int64 {
	if n, ok := o.Int(path...); ok && n >= 0 {
		return n
	}
	return -1
}

// maxInstances bounds a plausible number of instances.
const maxInstances = 1 << 16

// resources reads instance types and numbers.
func (j *job) resources(o jsonstream.Object) {
	config := o.Object(j.family.resources)
	if cluster := config.Object("ClusterConfig"); cluster != nil {
		config = cluster
	}
	groups := []any{map[string]any(config)}
	if list := config.List("InstanceGroups"); len(list) > 0 {
		groups = list
	}
	most := int64(0)
	for _, v := range groups {
		m, ok := v.(map[string]any)
		if !ok {
			continue
		}
		group := jsonstream.Object(m)
		name := records.Clean(group.Text("InstanceType"))
		n, ok := group.Int("InstanceCount")
		if name == "" || !ok || n <= 0 || n > maxInstances {
			continue
		}
		if j.instances += n; n > most {
			j.instance, most = name, n
		}
		if known, found := catalog.LookupAt(catalog.AWS, name); found {
			j.gpus = max(j.gpus, 0) + n*int64(known.Slots())
		}
	}
}

// describe collects labels: tags, and identifiers of runs.
func (j *job) describe(o jsonstream.Object) {
	tags := o.List("Tags")
	for _, v := range tags {
		if t, ok := v.(map[string]any); ok {
			j.labels[records.Clean(jsonstream.Text(t["Key"]))] = records.Clean(jsonstream.Text(t["Value"]))
		}
	}
	for key, value := range o.Object("Tags") { // events have a map
		j.labels[records.Clean(key)] = records.Clean(jsonstream.Text(value))
	}
	for _, where := range []string{"Environment", "HyperParameters"} {
		set := o.Object(where)
		for _, key := range slices.Sorted(maps.Keys(set)) {
			label := idLabels[ledger.FoldKey(key)]
			v := records.Clean(strings.Trim(jsonstream.Text(set[key]), `"`)) // hyperparameters are JSON inside text
			if label != "" && v != "" && j.labels[label] == "" {
				j.labels[label] = v
			}
		}
	}
	if name := records.Clean(o.Text("ExperimentConfig", "ExperimentName")); name != "" && j.labels["experiment"] == "" {
		j.labels["experiment"] = name
	}
	for key, value := range map[string]string{
		"instance-type":  j.instance,
		ledger.LabelKind: map[string]string{"processing": "batch", "transform": "inference"}[j.family.kind],
	} {
		if value != "" && j.labels[key] == "" {
			j.labels[key] = value
		}
	}
	if j.instances > 0 {
		j.labels["instance-count"] = strconv.FormatInt(j.instances, 10)
	}
	switch {
	case j.labels[ledger.LabelPricing] != "" || j.summary:
	case j.planned:
		j.labels[ledger.LabelPricing] = "reserved"
	case j.spot:
		j.labels[ledger.LabelPricing] = "spot"
	default:
		j.labels[ledger.LabelPricing] = "on_demand"
	}
	delete(j.labels, "")
	for key, value := range j.labels {
		if value == "" {
			delete(j.labels, key)
		}
	}
}

// idLabels are the variables and hyperparameters that name runs, folded.
var idLabels = map[string]string{
	"gpuledgerrunid": ledger.LabelRunID, "gpuledgeriorunid": ledger.LabelRunID,
	"runid": ledger.LabelRunID, "wandbrunid": ledger.LabelRunID, "mlflowrunid": ledger.LabelRunID,
	"wandbproject": "project", "mlflowexperimentname": "experiment", "wandbrungroup": ledger.LabelGroup,
}
