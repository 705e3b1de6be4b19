package waste

import (
	"cmp"
	"slices"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// held is a holder over all days.
type held struct {
	HolderDay
	slices []*heldSlice
}

// heldSlice is a slice of a holder over all days.
type heldSlice struct {
	SliceDay
	taken []bool // pieces that already belong to a finding
}

// judgeHolders finds wasted time of holders: for the holders of a service together, surplus replicas first.
func judgeHolders(key Key, traces []*Trace, end period.Second) []Finding {
	var out []Finding
	surplus := map[period.Second]bool{}
	if key.Scope == OfService {
		out, surplus = judgeService(traces, end)
	}
	for _, h := range together(traces) {
		for _, s := range h.slices {
			for i, p := range s.Pieces {
				s.taken[i] = p.Doing != Worked && surplus[p.From.Floor(period.Day)]
			}
		}
		for _, detect := range []func(*held) []claim{
			crashLoop, hoarding, preprovisioned, crashedJob, forgottenNotebook, heldNotUsed,
		} {
			out = append(out, h.findings(detect(h), end)...)
		}
	}
	return out
}

// together joins the days of each holder.
func together(traces []*Trace) []*held {
	byID := map[ledger.ID]*held{}
	var list []*held
	for _, t := range traces {
		for _, d := range t.Holders {
			h := byID[d.ID]
			if h == nil {
				h = &held{}
				byID[d.ID] = h
				list = append(list, h)
			}
			crash := append(h.Crash, d.Crash...)
			h.HolderDay = d // the newest day's facts
			h.Crash = crash
			for _, s := range d.Slices {
				h.slice(s.Slot, s.Slice).add(s)
			}
		}
	}
	for _, h := range list {
		for _, s := range h.slices {
			s.Pieces = merged(s.Pieces)
			s.taken = make([]bool, len(s.Pieces))
		}
	}
	return list
}

func (h *held) slice(slot, slice int32) *heldSlice {
	for _, s := range h.slices {
		if s.Slot == slot && s.Slice == slice {
			return s
		}
	}
	s := &heldSlice{SliceDay: SliceDay{Slot: slot, Slice: slice, Memory: -1}}
	h.slices = append(h.slices, s)
	return s
}

func (s *heldSlice) add(d SliceDay) {
	s.Held += d.Held
	s.Pieces = append(s.Pieces, d.Pieces...)
	s.Memory = max(s.Memory, d.Memory)
	s.Quality = s.Quality.Worse(d.Quality)
}

// worked is the first and the last stretch of work; ok: there was any.
func (s *heldSlice) worked() (first, last Piece, ok bool) {
	for _, p := range s.Pieces {
		if p.Doing != Worked {
			continue
		}
		if !ok {
			first = p
		}
		last, ok = p, true
	}
	return first, last, ok
}

// claim is the part of one slice in a finding.
type claim struct {
	kind    Kind
	from    period.Second
	to      period.Second
	when    []period.Interval // of it
	share   Share
	quality ledger.Quality
	numbers []Number
}

// take claims the free pieces that fit; empty without any.
func (s *heldSlice) take(kind Kind, fits func(Piece) bool) (c claim, length int64) {
	c = claim{kind: kind, quality: s.Quality}
	for i, p := range s.Pieces {
		if s.taken[i] || p.Doing == Worked || !fits(p) {
			continue
		}
		s.taken[i] = true
		if length == 0 {
			c.from = p.From
		}
		c.to = max(c.to, p.To)
		c.share.add(p.Share)
		c.when = append(c.when, period.Interval{From: p.From, To: p.To})
		length += int64(p.To - p.From)
	}
	return c, length
}

// open adds up the free pieces that fit.
func (s *heldSlice) open(fits func(Piece) bool) (length int64) {
	for i, p := range s.Pieces {
		if !s.taken[i] && p.Doing != Worked && fits(p) {
			length += int64(p.To - p.From)
		}
	}
	return length
}

// findings joins the claims of one kind that overlap or touch.
func (h *held) findings(claims []claim, end period.Second) []Finding {
	slices.SortStableFunc(claims, func(a, b claim) int { return cmp.Compare(a.from, b.from) })
	var out []Finding
	var when [][]period.Interval
	for _, c := range claims {
		if n := len(out); n > 0 && c.from <= out[n-1].To {
			f := &out[n-1]
			when[n-1] = append(when[n-1], c.when...)
			f.To = max(f.To, c.to)
			f.Share.add(c.share)
			f.Quality = f.Quality.Worse(c.quality)
			f.Where.Device = ""
			for i := range f.Evidence {
				f.Evidence[i].set(max(f.Evidence[i].Value, c.numbers[i].Value))
			}
			continue
		}
		out = append(out, Finding{Kind: c.kind, Subject: h.Subject, Holder: h.ID, From: c.from, To: c.to, Share: c.share,
			Where: h.Where, Quality: c.quality,
			Evidence: EvidenceOf(c.kind, c.numbers...)})
		when = append(when, c.when)
	}
	for i := range out {
		out[i].Met = seconds(union(when[i], 0))
		out[i].Open = h.Running && reaches(out[i].To, end)
	}
	return out
}
