package watch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"gpuledger/ingest/kubernetes"
	"gpuledger/internal/ledger"
)

// Options of a watch over one cluster.
type Options struct {
	Cluster string
	Client  dynamic.Interface
	API     rest.Interface // lists the cluster's kinds
	// Out takes facts; they are queued for the next flush of the live path.
	Out func(context.Context, *ledger.Telemetry) error
	Now func() time.Time
	// Ticks fires every few seconds, when collected facts are to be queued; once a minute has
	// passed, about every sixth tick, the heartbeat is added.
	Ticks <-chan time.Time
	Log   *slog.Logger
}

// heartbeat is the interval at which existing objects are emitted again: the scrape step
// (docs/rules.md 1.4).
const heartbeat = time.Minute

// Watch follows a cluster.
type Watch struct {
	o         Options
	mu        sync.Mutex
	converter *kubernetes.Converter
	seen      []change
	beat      time.Time
	informers map[string]cache.SharedIndexInformer // by kind
	failed    map[string]string                    // kind → last error of its watch
}

// change is an object that was added, changed or deleted.
type change struct {
	object *kubernetes.Object
	atMS   int64
	gone   bool
}

// Run follows the cluster until ctx ends. An error means that the cluster's kinds could not be
// listed.
func Run(ctx context.Context, o Options) error {
	kinds, err := discover(ctx, o.API)
	if err != nil {
		return fmt.Errorf("kubernetes %s: %w", o.Cluster, err)
	}
	w := &Watch{
		o: o, converter: kubernetes.NewConverter(o.Cluster),
		informers: map[string]cache.SharedIndexInformer{}, failed: map[string]string{},
	}
	informers := make([]cache.SharedIndexInformer, len(kinds))
	for i, k := range kinds {
		informers[i] = informerOf(o.Client, k.resource)
		if err := w.follow(k, informers[i]); err != nil {
			return fmt.Errorf("kubernetes %s: %w", o.Cluster, err)
		}
	}
	var running sync.WaitGroup
	for _, informer := range informers {
		running.Go(func() { informer.RunWithContext(ctx) })
	}
	o.Log.Info("watching a Kubernetes cluster", "cluster", o.Cluster, "kinds", len(kinds))
	for {
		select {
		case <-ctx.Done():
			// The last facts are queued; their receiver is stopped after us.
			err := w.flush(context.WithoutCancel(ctx))
			running.Wait()
			return err
		case <-o.Ticks:
			if err := w.flush(ctx); err != nil && ctx.Err() == nil {
				o.Log.Error("facts of a Kubernetes cluster could not be queued; they are kept", "cluster", o.Cluster, "error",
					err)
			}
		}
	}
}

// follow puts an informer's events into the queue.
func (w *Watch) follow(k kind, informer cache.SharedIndexInformer) error {
	if err := informer.SetTransform(strip); err != nil {
		return err
	}
	if err := informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector,
		err error) {
		w.complain(k.name, err)
	}); err != nil {
		return err
	}
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { w.note(o, false) },
		UpdateFunc: func(_, o any) { w.note(o, false) },
		DeleteFunc: func(o any) {
			if last, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = last.Obj
			}
			w.note(o, true)
		},
	})
	if k.resource.Group == "" || w.informers[k.name] == nil {
		w.informers[k.name] = informer
	}
	return err
}

func (w *Watch) note(o any, gone bool) {
	object, ok := o.(*unstructured.Unstructured)
	if !ok {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, change{object, w.o.Now().UnixMilli(), gone})
}

// complain logs a failing watch once per error; it is retried automatically.
func (w *Watch) complain(kind string, err error) {
	w.mu.Lock()
	said := w.failed[kind] == err.Error()
	w.failed[kind] = err.Error()
	w.mu.Unlock()
	if !said && !errors.Is(err, context.Canceled) {
		w.o.Log.Warn("watching objects of a Kubernetes cluster failed; retrying", "cluster", w.o.Cluster, "kind",
			kind, "error", err)
	}
}

// flush queues the collected facts, and the heartbeat when it is due. After an error the facts
// are kept.
func (w *Watch) flush(ctx context.Context) error {
	now := w.o.Now()
	w.mu.Lock()
	seen := w.seen
	w.seen = nil
	w.mu.Unlock()
	slices.SortStableFunc(seen, func(a, b change) int {
		return kubernetes.Rank(a.object) - kubernetes.Rank(b.object)
	})
	t := &ledger.Telemetry{}
	for _, s := range seen {
		var err error
		if s.gone {
			err = w.converter.Gone(t, s.object, s.atMS)
		} else {
			_, err = w.converter.Add(t, s.object, s.atMS)
		}
		if err != nil {
			w.o.Log.Warn("an object of a Kubernetes cluster cannot be read", "cluster", w.o.Cluster, "error", err)
		}
	}
	beats := now.Sub(w.beat) >= heartbeat && w.synced()
	if beats {
		w.heartbeat(t, now)
	}
	if empty(t) {
		return nil
	}
	if err := w.o.Out(ctx, t); err != nil {
		w.mu.Lock()
		w.seen = append(seen, w.seen...)
		w.mu.Unlock()
		return err
	}
	if beats {
		w.beat = now
	}
	return nil
}

func empty(t *ledger.Telemetry) bool {
	return len(t.Nodes)+len(t.Workloads)+len(t.Objects)+len(t.Placements)+len(t.Segments)+len(t.Events) == 0
}

// synced reports whether all pods and nodes are known: a partly known cluster must not count as
// observed.
func (w *Watch) synced() bool {
	for _, k := range []string{"Pod", "Node"} {
		if i := w.informers[k]; i == nil || !i.HasSynced() {
			return false
		}
	}
	return true
}

// heartbeat adds the nodes, and the pods with devices, that still exist.
func (w *Watch) heartbeat(t *ledger.Telemetry, now time.Time) {
	at := now.UnixMilli()
	for _, o := range w.informers["Node"].GetStore().List() {
		if node, ok := o.(*unstructured.Unstructured); ok {
			w.still(t, node, at)
		}
	}
	for _, o := range w.informers["Pod"].GetStore().List() {
		pod, ok := o.(*unstructured.Unstructured)
		if !ok || !kubernetes.Holds(pod) {
			continue
		}
		w.still(t, pod, at)
	}
}

func (w *Watch) still(t *ledger.Telemetry, o *unstructured.Unstructured, at int64) {
	if _, err := w.converter.Add(t, o, at); err != nil {
		w.o.Log.Warn("an object of a Kubernetes cluster cannot be read", "cluster", w.o.Cluster, "error", err)
	}
}
