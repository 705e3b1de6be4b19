package promquery

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
)

// dayMS is a day in milliseconds; years is how far back days are searched.
const (
	dayMS = 24 * hourMS
	years = 5
)

// telling are names that best show on which days GPUs were monitored.
var telling = []string{
	"DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "DCGM_FI_DEV_POWER_USAGE", "kube_pod_info", "kube_node_info",
}

// Days are the days (UTC) before an instant on which the server has samples of a name that is
// read: the first and the last of the newest year that has any. Without any, first is 0. A
// server that does not answer such queries gives an error.
func (r *Reader) Days(ctx context.Context, before int64) (first, last int64, err error) {
	end := (before + dayMS - 1) / dayMS * dayMS
	if err := r.Find(ctx, Window{From: end - years*366*dayMS, To: end}); err != nil {
		return 0, 0, err
	}
	if r.Names() == 0 {
		return 0, 0, nil
	}
	names := r.groups[0].names
	name := names[0]
	for _, t := range slices.Backward(telling) {
		if slices.Contains(names, t) {
			name = t
		}
	}
	selector := "{__name__=" + strconv.Quote(name)
	if r.match != "" {
		selector += "," + r.match
	}
	for range years {
		from := end - 366*dayMS
		a, err := r.client.ask(ctx, "/api/v1/query_range", url.Values{
			"query": {"count(last_over_time(" + selector + "}[1d]))"},
			"start": {seconds(from + dayMS)}, "end": {seconds(end)}, "step": {"86400"},
		})
		if err != nil {
			return 0, 0, err
		}
		if first, last, err = span(a.data); first > 0 || err != nil {
			return max(first-dayMS, 0), last - dayMS, err
		}
		end = from
	}
	return 0, 0, nil
}

// span is the first and the last instant of a matrix, in milliseconds.
func span(data []byte) (first, last int64, err error) {
	var m struct {
		Result []struct {
			Values [][2]json.RawMessage `json:"values"`
		} `json:"result"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return 0, 0, errors.Join(errJSON, err)
	}
	for _, series := range m.Result {
		for _, v := range series.Values {
			at, err := strconv.ParseFloat(string(v[0]), 64)
			if err != nil {
				return 0, 0, fmt.Errorf("%w: %q is no time", errJSON, v[0])
			}
			ms := int64(at * 1000)
			if first == 0 || ms < first {
				first = ms
			}
			last = max(last, ms)
		}
	}
	return first, last, nil
}
