package kubernetes

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// Options are facts that a file lacks.
type Options struct {
	Cluster string // empty: "default"
	// At is when the objects were seen; zero: the newest time in any of them.
	At period.Second
	// Now bounds times: an object with a time more than a day later is refused. 0: no bound.
	Now period.Second
}

// ahead is the first refused instant.
func (o Options) ahead() period.Second {
	if o.Now == 0 {
		return period.Latest
	}
	return o.Now + period.Day
}

// maxFile bounds a file: its objects are held in memory until their time is known.
const maxFile = 512 << 20

// Looks reports whether a file with this start contains Kubernetes objects.
func Looks(start []byte) bool {
	if bytes.IndexByte(start, 0) >= 0 {
		return false
	}
	trimmed := bytes.TrimSpace(start)
	if bytes.HasPrefix(trimmed, []byte("{")) {
		head := trimmed[:min(len(trimmed), 8<<10)]
		return bytes.Contains(head, []byte(`"apiVersion"`)) &&
			(bytes.Contains(head, []byte(`"kind"`)) || bytes.Contains(head, []byte(`"items"`)))
	}
	api, kind := false, false
	for line := range strings.Lines(string(trimmed)) {
		api = api || strings.HasPrefix(line, "apiVersion:")
		kind = kind || strings.HasPrefix(line, "kind:")
		if api && kind {
			return true
		}
	}
	return api && bytes.Contains(trimmed, []byte("\nitems:"))
}

// Parse reads one file and emits its objects' facts. Unreadable objects are counted; an error
// refuses the file. Rows are objects.
func Parse(
	ctx context.Context, in io.Reader, file string, opt Options, emit func(*ledger.Telemetry) error,
) (ledger.Reading, error) {
	var read ledger.Reading
	unlabelled := opt.Cluster == ""
	if unlabelled {
		opt.Cluster = "default"
	}
	objects, err := decode(ctx, in)
	if err != nil {
		return read, fmt.Errorf("read %s: %w", file, err)
	}
	at := int64(opt.At) * 1000
	if at == 0 {
		if at = newest(objects, opt.ahead()) * 1000; at == 0 && len(objects) > 0 {
			return read, fmt.Errorf("read %s: no object has a time, so it is unknown when they were seen", file)
		}
	}
	c := NewConverter(opt.Cluster)
	t := &ledger.Telemetry{}
	order := make([]int, len(objects))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(Rank(objects[a]), Rank(objects[b])) })
	for _, i := range order {
		o := objects[i]
		read.Rows++
		if why := future(o, opt.ahead()); why != "" {
			read.Reject(ledger.Rejection{
				File: file, Line: int64(i + 1), Column: "object", Reason: "time in the future", Detail: why,
			})
			continue
		}
		known, err := c.Add(t, o, at)
		switch {
		case err != nil:
			read.Reject(ledger.Rejection{
				File: file, Line: int64(i + 1), Column: "object", Reason: "bad object", Detail: err.Error(),
			})
		case !known:
			read.Ignore(o.GetKind(), 1)
		default:
			read.Accepted++
			if unlabelled {
				read.Unlabelled++
			}
		}
		if len(t.Workloads)+len(t.Objects)+len(t.Nodes) >= 2000 {
			if err := emit(t); err != nil {
				return read, err
			}
			t = &ledger.Telemetry{}
		}
	}
	return read, emit(t)
}

// Rank orders objects that are seen at one instant: referenced objects come first, so that each
// is emitted once and complete.
func Rank(o *Object) int {
	switch o.GetKind() {
	case "ResourceSlice", "Node":
		return 0
	case "ResourceClaim", "RayJob":
		return 1
	case "Pod":
		if o.GetAnnotations()[kaiReserved] != "" { // it names the card that others share, including ended ones
			return 1
		}
	}
	return 2
}

// decode reads all objects of a file, and splits lists.
func decode(ctx context.Context, in io.Reader) ([]*Object, error) {
	limited := &io.LimitedReader{R: in, N: maxFile + 1}
	documents := utilyaml.NewYAMLOrJSONDecoder(bufio.NewReaderSize(limited, 64<<10), 64<<10)
	var out []*Object
	for n := 1; ; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var raw json.RawMessage
		err := documents.Decode(&raw)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		if limited.N <= 0 {
			return nil, fmt.Errorf("the file is larger than %d bytes; write fewer objects into one", maxFile)
		}
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		var o Object
		if err := utiljson.Unmarshal(raw, &o.Object); err != nil {
			return nil, fmt.Errorf("document %d: %w", n, err)
		}
		out = append(out, flat(&o)...)
	}
	return out, nil
}

// flat splits a list. Items of typed lists (PodList) do not name their kind.
func flat(o *Object) []*Object {
	items, ok := o.Object["items"].([]any)
	if !ok || !strings.HasSuffix(o.GetKind(), "List") {
		return []*Object{o}
	}
	var out []*Object
	for _, item := range items {
		m, ok := item.(map[string]any)
		if !ok {
			continue
		}
		one := &Object{Object: m}
		if one.GetKind() == "" {
			one.SetKind(strings.TrimSuffix(o.GetKind(), "List"))
		}
		if one.GetAPIVersion() == "" {
			one.SetAPIVersion(o.GetAPIVersion())
		}
		out = append(out, flat(one)...)
	}
	return out
}

func unix(s period.Second) string { return strconv.FormatInt(int64(s), 10) }
