package pages

import (
	"context"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/internal/store/pg"
)

// zoneless are the systems whose times may lack a time zone.
var zoneless = []string{string(ledger.SystemSlurm), string(ledger.SystemAttempts)}

// job is the time for which a job held a machine.
type job struct {
	Cluster string
	Node    ledger.ID
	period.Interval
}

// busyHours is the GPU activity of machines by hour, in millionths.
type busyHours map[ledger.ID]map[period.Second]int64

// JobOffset is by how much jobs of a cluster must move to fit the telemetry of their machines; below 0: earlier.
type JobOffset struct {
	Cluster string
	Offset  period.Second
}

// JobOffsets returns the clusters whose jobs clearly fit another offset than 0.
func (s *Pages) JobOffsets(ctx context.Context) ([]JobOffset, error) {
	jobs, busy := map[string][]job{}, busyHours{}
	var clusters []string
	err := pg.Each(ctx, s.ReadOnly(), "doctor.jobs", func(j job) error {
		if jobs[j.Cluster] == nil {
			clusters = append(clusters, j.Cluster)
		}
		jobs[j.Cluster] = append(jobs[j.Cluster], j)
		return nil
	}, pg.Tenant, zoneless)
	if err != nil || len(jobs) == 0 {
		return nil, err
	}
	type hour struct {
		Node   ledger.ID
		Hour   period.Second
		Active int64
	}
	err = pg.Each(ctx, s.ReadOnly(), "doctor.job_hours", func(h hour) error {
		if busy[h.Node] == nil {
			busy[h.Node] = map[period.Second]int64{}
		}
		busy[h.Node][h.Hour] = h.Active
		return nil
	}, pg.Tenant, zoneless)
	if err != nil {
		return nil, err
	}
	var list []JobOffset
	for _, cluster := range clusters {
		if offset := clearOffset(jobs[cluster], busy); offset != 0 {
			list = append(list, JobOffset{cluster, offset})
		}
	}
	return list, nil
}

// Thresholds of clear evidence for another offset: the known time inside and outside of jobs; how much busier GPUs
// are in jobs than outside; and by how much this offset is better than offset 0 and than any other, in millionths.
const (
	enough    = 6 * period.Hour
	mostKnown = 4 // at least three quarters of the jobs' time
	busier    = 300_000
	clearer   = 150_000
	alone     = 20_000
	offsetsBy = period.Hour / 2
	earliest  = -14 * period.Hour // zones are up to 14 hours ahead of UTC
	latest    = 12 * period.Hour
)

// clearOffset is the offset at which jobs fit the activity of GPUs, if the evidence is clear; else 0.
func clearOffset(jobs []job, busy busyHours) period.Second {
	now, known := contrast(jobs, busy, 0)
	best, most := period.Second(0), now
	others := map[period.Second]int64{}
	for o := period.Second(earliest); o <= latest; o += offsetsBy {
		c, sure := contrast(jobs, busy, o)
		if !sure {
			continue
		}
		others[o] = c
		// A half hour has to fit better, because most zones differ by whole hours.
		if margin := int64(alone) * int64(o%period.Hour/offsetsBy%2); c > most+max(margin, -margin) {
			best, most = o, c
		}
	}
	if best == 0 || most < busier || known && most-now < clearer {
		return 0
	}
	for o, c := range others {
		if away := max(o-best, best-o); away >= period.Hour && most-c < alone {
			return 0
		}
	}
	return best
}

// contrast is how much busier GPUs were in jobs, moved by an offset, than outside of them, in millionths; sure if
// enough time of both is known.
func contrast(jobs []job, busy busyHours, by period.Second) (millionths int64, sure bool) {
	covered := map[ledger.ID]map[period.Second]int64{}
	var all int64
	for _, j := range jobs {
		if busy[j.Node] == nil {
			continue
		}
		if covered[j.Node] == nil {
			covered[j.Node] = map[period.Second]int64{}
		}
		at := period.Interval{From: j.From + by, To: j.To + by}
		all += at.Seconds()
		for h := at.From.Floor(period.Hour); h < at.To; h += period.Hour {
			covered[j.Node][h] += period.HourOf(h).Intersect(at).Seconds()
		}
	}
	var in, inSeconds, out, outSeconds int64
	for node, hours := range covered {
		for h, active := range busy[node] {
			held := min(hours[h], period.Hour) // jobs may share a machine
			in, inSeconds = in+held*active, inSeconds+held
			out, outSeconds = out+(period.Hour-held)*active, outSeconds+period.Hour-held
		}
	}
	if inSeconds < enough || outSeconds < enough || mostKnown*inSeconds < (mostKnown-1)*all {
		return 0, false
	}
	return in/inSeconds - out/outSeconds, true
}
