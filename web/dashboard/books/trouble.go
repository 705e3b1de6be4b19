package books

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"gpuledger/internal/access"
	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// Trouble is a bill that was refused or is late (docs/figures.md, 24.1).
type Trouble struct {
	Source         ledger.SourceInfo
	Account, Month string        // if known
	Since          period.Second // the first refusal in a row, the last delivery, or the end of the month
	Reason         string
	Import         string // that was refused; empty: the bill is late
}

// Rules of late bills.
const (
	leastWait   = 3 * period.Day  // before a bill is late, however often it usually comes
	monthWait   = 5 * period.Day  // after the end of a month without a bill
	forgotten   = 62 * period.Day // after which an account has ended, and a refusal is history
	paceDays    = 3               // on which deliveries came, to know a pace
	paceHistory = 10              // of the last days it is taken from
)

// Drops are the deliveries of bills that pages read.
type Drops []deliveryRow

// ReadDrops reads them, the newest first.
func ReadDrops(ctx context.Context, reader page.Reader) (Drops, error) {
	return readDeliveries(ctx, reader)
}

// Troubles finds bills that were refused and not imported since, and bills that are
// late, oldest first. end is the end of the stored data.
func Troubles(imports []Import, drops Drops, now, end period.Second) []Trouble {
	out := append(refusedBills(imports, drops, now), lateBills(drops, now, end)...)
	slices.SortStableFunc(out, func(a, b Trouble) int { return cmp.Compare(a.Since, b.Since) })
	return out
}

// These read the month and account out of the message of a refusal.
var (
	monthOfDelivery   = regexp.MustCompile(`(?:delivery|in) (\d{4}-\d{2})\b`)
	accountOfDelivery = regexp.MustCompile(`\baccount ([^\s,]+)`)
)

// refusedBills are refused imports of bills, if they are the last import of their place.
func refusedBills(imports []Import, drops Drops, now period.Second) (out []Trouble) {
	type place struct{ source, uri string }
	account := map[string]string{} // by import
	for _, d := range drops {
		account[d.Import] = d.Scope
	}
	at := map[place]int{}
	done, known := map[place]bool{}, map[place]string{}
	for _, i := range imports { // the newest first
		at0 := place{i.Source.Name, i.URI}
		if !i.Source.Bill || i.running() {
			continue
		}
		known[at0] = cmp.Or(known[at0], account[i.ID])
		bad := i.State == "refused" || i.Refused > 0 || i.Rejected > 0
		n, listed := at[at0]
		switch {
		case done[at0]:
		case !bad || !listed && i.Finished < now-forgotten:
			done[at0] = true
		case listed:
			out[n].Since = i.Finished
		default:
			t := Trouble{Source: i.Source, Since: i.Finished, Reason: cmp.Or(i.Message, i.URI), Import: i.ID}
			if m := monthOfDelivery.FindStringSubmatch(i.Message); m != nil {
				t.Month = m[1]
			}
			if m := accountOfDelivery.FindStringSubmatch(i.Message); m != nil {
				known[at0] = m[1]
			}
			at[at0] = len(out)
			out = append(out, t)
		}
	}
	for at0, n := range at {
		out[n].Account = known[at0]
	}
	return out
}

// lateBills are accounts whose bill is overdue.
func lateBills(drops Drops, now, end period.Second) (out []Trouble) {
	type account struct{ source, scope string }
	days := map[account][]period.Second{} // on which deliveries came, the newest first
	last := map[account]Trouble{}
	var order []account
	for _, d := range drops {
		k := account{d.Source, d.Scope}
		if d.Role == string(ledger.Evidence) || d.Source == "price-book" || len(d.Partition) < len("2026-11") {
			continue
		}
		t, known := last[k]
		if !known {
			order = append(order, k)
			t = Trouble{Source: ledger.SourceOf(d.Source), Account: d.Scope, Since: d.Published}
		}
		t.Since, t.Month = max(t.Since, d.Published), max(t.Month, d.Partition[:len("2026-11")])
		last[k] = t
		if day := d.Published - d.Published%period.Day; !slices.Contains(days[k], day) {
			days[k] = append(days[k], day)
		}
	}
	for _, k := range order {
		t := last[k]
		slices.SortFunc(days[k], func(a, b period.Second) int { return cmp.Compare(b, a) })
		if usual := pace(days[k]); usual > 0 {
			limit := max(leastWait, 2*usual)
			if since := now - t.Since; since > limit && since <= limit+forgotten {
				t.Reason = "The last delivery came " + age(since) + ". Deliveries usually come every " +
					format.Plural(int(usual/period.Day), "day", "days") + "."
				out = append(out, t)
				continue
			}
		}
		if next, ok := following(t.Month); ok && next.To+monthWait <= end && end <= next.To+forgotten {
			t.Month, t.Since = string(period.MonthName(next.From)), next.To
			t.Reason = "There is no bill for " + format.Month(next.From) + ", but there is one for the month before."
			out = append(out, t)
		}
	}
	return out
}

// pace is the usual time between days with deliveries: the median of the last ones, or 0
// if there are too few.
func pace(days []period.Second) period.Second {
	if len(days) < paceDays {
		return 0
	}
	var gaps []period.Second
	for i, day := range days[:min(len(days), paceHistory)-1] {
		gaps = append(gaps, day-days[i+1])
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}

// following is the month after a month.
func following(month string) (period.Interval, bool) {
	i, err := period.Month(month).Interval()
	if err != nil {
		return period.Interval{}, false
	}
	return period.MonthOf(i.To), true
}

func age(d period.Second) string {
	switch {
	case d < period.Hour:
		return "just now"
	case d < 2*period.Day:
		return format.Plural(int(d/period.Hour), "hour", "hours") + " ago"
	}
	return format.Plural(int(d/period.Day), "day", "days") + " ago"
}

// TroubleAlerts turns troubles into the alerts of a page.
func TroubleAlerts(p *page.Context, list []Trouble, now period.Second) (out []views.Alert) {
	for _, t := range list {
		a := views.Alert{
			Tone: "warn", What: t.Source.Label, Detail: age(now-t.Since) + ": " + t.Reason,
			Href: p.Scope.Carried("/reconciliation"), Owner: page.OwnerOf("", "", access.RolePlatform),
			Due: page.BeforeClose(period.Month(t.Month)),
		}
		if t.Account != "" {
			a.What += ", " + page.Middle(t.Account, 28)
		}
		if t.Month != "" {
			a.What += ", " + t.Month
		}
		if t.Import != "" {
			a.Tone, a.What, a.Href = "bad", a.What+": refused", p.Scope.Carried("/data/"+t.Import)
		} else {
			a.What += ": late"
		}
		out = append(out, a)
	}
	return out
}
