package azurecost

import (
	"slices"
	"strings"
	"unicode/utf8"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/blob"
	"gpuledger/internal/ledger"
)

// Source is the name of this source in the ledger.
const Source = "azure-cost"

// Ranks among the exports of one scope. A file without a known dataset ranks below those with
// one.
const (
	rankNamed   = 3
	rankUnnamed = 2
)

// Format reads Cost Management exports and downloads.
var Format bill.Format = format{}

var _ bill.Inspector = format{}

type format struct{}

var options = table.Options{IsHeader: isHeader}

func (format) Source() string            { return Source }
func (format) Options() table.Options    { return options }
func (format) Looks(names []string) bool { return looksLikeCosts(names) }

func (format) Describe(u bill.Unit) bill.Description {
	d := bill.Description{Export: "azure " + u.Scope + " " + u.Dataset, Kind: ledger.Snapshot, Rank: rankNamed}
	if u.Dataset == datasetPlain || u.Dataset == datasetUsage {
		d.Rank = rankUnnamed
	}
	return d
}

// CurrencyColumn implements bill.Denominated.
func (format) CurrencyColumn(names []string) (name string, at int) {
	return colCurrency.Name(), slices.IndexFunc(names, func(n string) bool {
		c, known := columnByName[canonicalName(n)]
		return known && c == colCurrency
	})
}

// Bind reads a file that was not inspected: its path names the dataset, or it counts as one
// without commitments.
func (f format) Bind(file blob.File, names []string) (bill.Binding, *ledger.Rejection) {
	known := found{dataset: pathDataset(file.Path)}
	if known.dataset == "" {
		known.dataset, known.plain = datasetPlain, true
	}
	return f.BindAs(file, names, known)
}

// BindAs resolves the header of an inspected file.
func (format) BindAs(file blob.File, names []string, about any) (bill.Binding, *ledger.Rejection) {
	s, refused := newSchema(file.Name, names)
	if refused != nil {
		return nil, refused
	}
	known, _ := about.(found)
	b := newBinding(s, known)
	for pos, name := range s.names {
		if name != "" {
			b.identity = append(b.identity, bill.IdentityColumn{Pos: pos, Name: s.identityName(pos), Canon: b.canon(name)})
		}
	}
	return b, nil
}

// canon writes a column's values for comparison between files.
func (b *binding) canon(name string) func(dst []byte, text string) []byte {
	plain := func(dst []byte, text string) []byte { return append(dst, text...) }
	write := plain
	switch {
	case numberColumns[name]:
		write = func(dst []byte, text string) []byte {
			dst, _ = table.CanonicalNumber(dst, text)
			return dst
		}
	case dateColumns[name]:
		write = func(dst []byte, text string) []byte {
			if day, err := b.date(text); err == nil {
				return append(dst, day.String()...)
			}
			return plain(dst, text)
		}
	case pairColumns[name]:
		write = func(dst []byte, text string) []byte {
			if pairs, ok := b.maps.get(text); ok {
				return table.AppendPairs(dst, pairs)
			}
			return plain(dst, text)
		}
	case caselessColumns[name]:
		write = appendLower
	}
	return func(dst []byte, text string) []byte {
		if isNull(text) {
			return dst
		}
		return write(dst, text)
	}
}

// appendLower appends text in lower case.
func appendLower(dst []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			return append(dst, strings.ToLower(text[i:])...)
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}
