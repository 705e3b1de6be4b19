package main

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"gpuledger/internal/ledger"
	"gpuledger/internal/minutes"
)

// round is the result of one turn of remote_write.
type round struct {
	*sent
	peak int64
	cpu  time.Duration
	db   time.Duration // processor time of the database
}

func (r *round) rate() float64 { return float64(r.samples) / r.wall.Seconds() }

// remoteWrite measures the stream, alternating between servers.
func (r *rig) remoteWrite(ctx context.Context, s *stream, rounds int, how time.Duration) error {
	fmt.Printf("remote_write %s: %d GPUs × %d series, %d samples per request, %d requests at once, scrapes %s apart, "+
		"%s per turn\n",
		s.version.Header(), s.gpus, len(metrics), s.batch, s.shards, s.step, how)
	s.raw = rawLabels(s.gpus)
	var own, ratios []float64
	for i := range rounds {
		s.from = time.Now().Add(-20 * time.Hour).Truncate(time.Minute)
		got, err := r.ledgerRound(ctx, s, how)
		if err != nil {
			return fmt.Errorf("gpuledger: %w", err)
		}
		own = append(own, got.rate())
		fmt.Printf("round %d  gpuledger   %8.0f samples/s  %5d MB peak  %5.1f s CPU, PostgreSQL %5.1f s  slowest request "+
			"%4d ms, %d sent again  %d scrapes\n",
			i+1, got.rate(), got.peak>>20, got.cpu.Seconds(), got.db.Seconds(),
			got.slowest.Milliseconds(), got.retries, slices.Min(got.steps))
		if r.alone {
			continue
		}
		peer, err := r.prometheusRound(ctx, s, how)
		if errors.Is(err, errNoPeer) {
			fmt.Println(err)
			r.alone = true
			continue
		}
		if err != nil {
			return fmt.Errorf("prometheus: %w", err)
		}
		ratios = append(ratios, got.rate()/peer.rate())
		fmt.Printf("round %d  prometheus  %8.0f samples/s  %5d MB peak  %5.1f s CPU                     slowest request "+
			"%4d ms, %d sent again\n",
			i+1, peer.rate(), peer.peak>>20, peer.cpu.Seconds(), peer.slowest.Milliseconds(), peer.retries)
	}
	slices.Sort(own)
	fmt.Printf("remote_write: %.0f samples/s (median of %d)", own[len(own)/2], rounds)
	if len(ratios) > 0 {
		slices.Sort(ratios)
		fmt.Printf(", %.2f × prometheus", ratios[len(ratios)/2])
	}
	fmt.Println("; nothing acknowledged was lost")
	return nil
}

func (r *rig) ledgerRound(ctx context.Context, s *stream, how time.Duration) (got *round, err error) {
	dsn, drop, err := r.database(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	server, err := r.startLedger(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer server.kill()
	before := r.databaseCPU()
	out, err := s.send(ctx, server.url, how)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, server.log.String())
	}
	got = &round{sent: out, peak: server.peak(), cpu: server.cpu(), db: r.databaseCPU() - before}
	server.kill()
	again, err := r.startLedger(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer again.kill()
	return got, r.nothingLost(ctx, dsn, s, out)
}

func (r *rig) prometheusRound(ctx context.Context, s *stream, how time.Duration) (*round, error) {
	server, err := r.startPrometheus(ctx)
	if err != nil {
		return nil, err
	}
	defer server.kill()
	out, err := s.send(ctx, server.url, how)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, server.log.String())
	}
	return &round{sent: out, peak: server.peak(), cpu: server.cpu()}, nil
}

// nothingLost waits until the inbox is empty and looks for every acknowledged minute.
func (r *rig) nothingLost(ctx context.Context, dsn string, s *stream, out *sent) (err error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	for end := time.Now().Add(5 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		var rows int
		if err := conn.QueryRow(ctx, "select count(*) from inbox").Scan(&rows); err != nil {
			return err
		}
		if rows == 0 {
			break
		}
		if time.Now().After(end) {
			return fmt.Errorf("%d requests are still in the inbox", rows)
		}
	}
	known, err := knownMinutes(ctx, conn)
	if err != nil {
		return err
	}
	for i := range s.shards {
		steps := out.steps[i]
		if steps == 0 {
			continue
		}
		want := int(s.from.Add(time.Duration(steps-1)*s.step).Unix()/60-s.from.Unix()/60) + 1
		for g := s.gpus * i / s.shards; g < s.gpus*(i+1)/s.shards; g++ {
			if have := known[deviceName(g)]; have < want {
				return fmt.Errorf("%s has %d minutes of temperature, %d were acknowledged", deviceName(g), have, want)
			}
		}
	}
	return nil
}

// knownMinutes counts per device the minutes of one signal.
func knownMinutes(ctx context.Context, conn *pgx.Conn) (map[string]int, error) {
	rows, err := conn.Query(ctx, "select device, vectors from sample_hours")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var device string
		var packed []byte
		if err := rows.Scan(&device, &packed); err != nil {
			return nil, err
		}
		vectors, err := minutes.Decode[ledger.Signal](packed)
		if err != nil {
			return nil, err
		}
		out[device] += bits.OnesCount64(vectors[ledger.SignalTemperature].Known)
	}
	return out, rows.Err()
}
