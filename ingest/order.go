package ingest

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"gpuledger/internal/ledger"
	"gpuledger/internal/period"
)

// StandingDelivery is the stored delivery that a new one may replace.
type StandingDelivery struct {
	ID    ledger.ID
	Rows  int64
	Files []ledger.DeliveryPlace // of its last read
	// Newest is the latest time of the deliveries that count or counted; nil: no delivery has a
	// time.
	Newest *period.Second
	// Seen is the last content read at any place of this bill, by whichever delivery.
	Seen map[string]SeenPlace
}

// SeenPlace is the last content read at a place.
type SeenPlace struct {
	SHA256   [32]byte
	Delivery ledger.ID
}

// Sight is an import's knowledge of a place.
type Sight int

// Sights of a place.
const (
	NotLookedAt Sight = iota
	Gone              // its folder was listed, and the place is no longer there
	There
)

// Order decides whether a snapshot that differs from the stored delivery is newer, which makes
// it current, or older (docs/rules.md, 8.25). A given time decides; else an overwritten
// delivery is older; else the later modification in a store is newer. The error states why no
// order exists, with advice that loses no row.
func Order(d *ledger.Delivery, old *StandingDelivery, look func(place string) Sight) (newer bool, err error) {
	if d.DeliveredAt != nil && !d.Observed {
		if old.Newest == nil || *d.DeliveredAt > *old.Newest {
			return true, nil
		}
		if *d.DeliveredAt < *old.Newest {
			return false, nil
		}
		if overwritten(d, old, look) {
			return true, nil
		}
		return false, unordered(d, old)
	}
	at := d.DeliveredAt
	switch {
	case overwritten(d, old, look):
	case at != nil && (old.Newest == nil || *at > *old.Newest):
	case at != nil && *at < *old.Newest:
		return false, nil
	case at == nil && old.Newest == nil && chosen(d, old):
	case at == nil && asBefore(d, old):
		return false, nil
	default:
		return false, unordered(d, old)
	}
	return true, partial(d, old, look)
}

// overwritten reports whether the stored delivery can no longer be read: a file has new
// content, or all its files are gone and the new one is at a place where runs replace each
// other. It also reports true if the new delivery has all of its files and more.
func overwritten(d *ledger.Delivery, old *StandingDelivery, look func(place string) Sight) bool {
	have := map[string][32]byte{}
	for _, p := range d.Places {
		have[p.Path] = p.SHA256
		if seen, known := old.Seen[p.Path]; known && seen.SHA256 != p.SHA256 {
			return true
		}
	}
	grown, gone := len(old.Files) > 0, len(old.Files) > 0
	for _, p := range old.Files {
		grown = grown && have[p.Path] == p.SHA256
		gone = gone && look(p.Path) == Gone
	}
	return grown || gone && slices.ContainsFunc(old.Files, func(p ledger.DeliveryPlace) bool {
		return slices.ContainsFunc(d.Places, func(q ledger.DeliveryPlace) bool { return home(p.Path) == home(q.Path) })
	})
}

// chosen reports whether a manifest above the folders of all runs names the new delivery, while
// the stored one was read from other folders below it.
func chosen(d *ledger.Delivery, old *StandingDelivery) bool {
	return slices.ContainsFunc(d.Above, func(folder string) bool {
		return len(old.Files) > 0 && !slices.ContainsFunc(old.Files, func(p ledger.DeliveryPlace) bool {
			return !strings.HasPrefix(path.Dir(p.Path), folder+"/") ||
				slices.ContainsFunc(d.Places, func(q ledger.DeliveryPlace) bool { return q.Path == p.Path })
		})
	})
}

// asBefore reports whether all files of a delivery hold the same content as when it was last
// read there: it was imported before, and another delivery has replaced it since.
func asBefore(d *ledger.Delivery, old *StandingDelivery) bool {
	for _, p := range d.Places {
		if seen, known := old.Seen[p.Path]; !known || seen.SHA256 != p.SHA256 || seen.Delivery != d.ID {
			return false
		}
	}
	return len(d.Places) > 0
}

// partial refuses a delivery that may be only some of the files of the stored one's folder,
// unless it was given a time or a manifest names all of its files.
func partial(d *ledger.Delivery, old *StandingDelivery, look func(place string) Sight) error {
	if d.Named || d.Rows >= old.Rows {
		return nil
	}
	var have, folders []string
	for _, p := range d.Places {
		have, folders = append(have, p.Path), append(folders, path.Dir(p.Path))
	}
	for _, p := range old.Files {
		if !slices.Contains(have, p.Path) && slices.Contains(folders, path.Dir(p.Path)) && look(p.Path) == NotLookedAt {
			return fmt.Errorf("delivery %s of %s (%s), account %s, has %d rows; the stored one has %d and was read from %d "+
				"files, among them %s, which is not part of this import: "+
				"import the folder %s; if the other files no longer belong to the bill, import this one with --delivered-at",
				d.Partition, d.Export, d.Dataset, d.Scope, d.Rows, old.Rows, len(old.Files), p.Path, path.Dir(p.Path))
		}
	}
	return nil
}

// unordered is the error for two deliveries without an order.
func unordered(d *ledger.Delivery, old *StandingDelivery) error {
	stored := ", which was stored without a time"
	if old.Newest != nil {
		stored = ", whose time is " + old.Newest.String()
	}
	return fmt.Errorf("delivery %s of %s (%s), account %s, differs from the stored one%s, and nothing shows "+
		"which is newer: "+
		"if this one is, import it with --delivered-at and the time when it was written",
		d.Partition, d.Export, d.Dataset, d.Scope, stored)
}

// home is the folder in which an export's runs replace each other: the place without its file,
// and without folders that are new in each run.
func home(place string) string {
	parts := strings.Split(path.Dir(place), "/")
	for len(parts) > 1 && runID(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, "/")
}

// runID reports whether a folder's name is a GUID, as for assemblies of AWS and runs of Azure.
func runID(name string) bool {
	if len(name) != 36 {
		return false
	}
	for i, c := range name {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", c) {
			return false
		}
	}
	return true
}
