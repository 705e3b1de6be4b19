package fleetsim

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gpuledger/internal/fleetsim/world"
)

// cloudEvent is one EventBridge event about an instance.
type cloudEvent struct {
	at     int64
	node   *world.Node
	detail string // detail-type
	state  string // state or action
}

const (
	detailWarning   = "EC2 Spot Instance Interruption Warning"
	detailRebalance = "EC2 Instance Rebalance Recommendation"
	detailState     = "EC2 Instance State-change Notification"
)

// events lists EventBridge's deliveries, in order of time. A node that ends silently has no end event.
func events(w *world.World) []cloudEvent {
	var out []cloudEvent
	add := func(at int64, n *world.Node, detail, state string) {
		if at < w.To {
			out = append(out, cloudEvent{at, n, detail, state})
		}
	}
	for _, n := range w.Nodes {
		add(n.Launch, n, detailState, "pending")
		add(n.Launch+14, n, detailState, "running")
		for _, t := range n.Rebal {
			if n.End == 0 || t < n.End {
				add(t, n, detailRebalance, "")
			}
		}
		if n.Warned != 0 {
			add(n.Warned, n, detailWarning, "terminate")
		}
		if n.End != 0 && !n.Silent {
			add(n.End, n, detailState, "shutting-down")
			add(n.End+37, n, detailState, "terminated")
		}
	}
	slices.SortStableFunc(out, func(a, b cloudEvent) int { return int(a.at - b.at) })
	return out
}

// writeEvents writes one file a day, one event per line. As in reality some are delivered twice and neighbours may swap
// places.
func writeEvents(w *world.World, dir string) (files []string, err error) {
	r := world.NewRNG(w.Config.Seed, 40)
	byDay := map[int64][][]byte{}
	for _, e := range events(w) {
		detail := map[string]string{"instance-id": e.node.InstanceID}
		arn := "arn:aws:ec2:" + e.node.Zone + ":instance/" + e.node.InstanceID
		switch e.detail {
		case detailWarning:
			detail["instance-action"] = e.state
		case detailState:
			detail["state"] = e.state
			arn = "arn:aws:ec2:" + world.Region + ":" + world.Payer + ":instance/" + e.node.InstanceID
		}
		line, err := json.Marshal(map[string]any{"version": "0", "id": r.UUID(), "detail-type": e.detail, "source": "aws.ec2",
			"account": world.Payer,
			"time":    world.IsoSecond(e.at), "region": world.Region, "resources": []string{arn}, "detail": detail})
		if err != nil {
			return nil, fmt.Errorf("encode event: %w", err)
		}
		day := e.at / 86400 * 86400
		byDay[day] = append(byDay[day], line)
		if r.Chance(8) {
			byDay[day] = append(byDay[day], line)
		}
	}
	for day := w.From; day < w.To; day += 86400 {
		lines := byDay[day]
		for i := range lines[:max(0, len(lines)-1)] {
			if r.Chance(10) {
				lines[i], lines[i+1] = lines[i+1], lines[i]
			}
		}
		if lines == nil {
			continue
		}
		rel := filepath.Join("spot-events", "ec2-"+world.IsoSecond(day)[:10]+".json")
		var body []byte
		for _, l := range lines {
			body = append(append(body, l...), '\n')
		}
		if err := os.MkdirAll(filepath.Join(dir, "spot-events"), 0o755); err != nil {
			return nil, fmt.Errorf("make folder of events: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, rel), body, 0o644); err != nil {
			return nil, fmt.Errorf("write events: %w", err)
		}
		files = append(files, rel)
	}
	return files, nil
}
