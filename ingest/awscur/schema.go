package awscur

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gpuledger/ingest/bill"
	"gpuledger/ingest/table"
	"gpuledger/internal/ledger"
)

// schema locates the columns of one file.
type schema struct {
	names []string // as delivered, in file order
	// at lists, per known column, the file positions of its spellings.
	at [columnCount][]int
	// billing lists the columns of a row's identity, by name.
	billing []bill.IdentityColumn
	// tags lists tag keys in separate columns.
	tags   []tagColumn
	net    bool // gross costs are absent: net columns are the book
	legacy bool // the report before CUR 2.0
}

type tagColumn struct {
	pos int
	key string
}

const tagPrefix = "resource_tags_"

// newSchema resolves a header. It refuses a header without the required columns.
func newSchema(file string, header []string) (*schema, *ledger.Rejection) {
	s := &schema{names: header}
	for i, h := range header {
		s.legacy = s.legacy || strings.Contains(h, "/")
		name := canonicalName(h)
		if name == "" {
			continue
		}
		if c, ok := columnByName[table.Squash(name)]; ok {
			s.at[c] = append(s.at[c], i)
		}
		if loaderColumn(name) {
			continue
		}
		s.billing = append(s.billing, bill.IdentityColumn{Pos: i, Name: name, Form: formByName[name]})
		if key, ok := strings.CutPrefix(name, tagPrefix); ok && key != "" {
			s.tags = append(s.tags, tagColumn{pos: i, key: key})
		}
	}
	var missing []string
	for _, any := range required {
		if !s.hasAny(any) {
			missing = append(missing, any[0].Name())
		}
	}
	if len(missing) > 0 {
		return nil, &ledger.Rejection{File: file, Column: strings.Join(missing, ", "), Reason: bill.MissingColumn,
			Detail: fmt.Sprintf("none of the %d columns is %s; add it to the columns of the export (or give the currency "+
				"with --bill-currency)", len(header), strings.Join(missing, " or "))}
	}
	// Of two spellings of a known column, the documented one is read first.
	for c := range s.at {
		sort.SliceStable(s.at[c], func(i, j int) bool {
			return spellingRank(column(c), header[s.at[c][i]]) < spellingRank(column(c), header[s.at[c][j]])
		})
	}
	s.net = !s.has(colUnblended)
	s.legacy = s.legacy || s.sparseProducts()
	return s, nil
}

// sparseProducts reports whether product attributes are single columns, without the maps and
// names of CUR 2.0: the legacy report as Parquet.
func (s *schema) sparseProducts() bool {
	if !s.has(colProductName) || s.has(colProduct) || s.has(colResourceTags) {
		return false
	}
	return !slices.ContainsFunc(s.names, func(n string) bool {
		switch canonicalName(n) {
		case "bill_payer_account_name", "line_item_usage_account_name", "cost_category", "discount":
			return true
		}
		return false
	})
}

func spellingRank(c column, header string) int {
	for i, n := range spellings[c] {
		if table.Squash(n) == table.Squash(header) {
			return i
		}
	}
	return len(spellings[c])
}

func (s *schema) has(c column) bool { return len(s.at[c]) > 0 }

func (s *schema) hasAny(cs []column) bool {
	return slices.ContainsFunc(cs, s.has)
}

// looksLikeCUR reports whether a header line or a list of column names is that of a CUR 2.0
// export, complete or not. Oracle's cost reports also have lineItem/ columns; only they have
// tenantId.
func looksLikeCUR(columns []string) bool {
	hits := 0
	for _, h := range columns {
		name := canonicalName(h)
		if name == canonicalName("lineItem/tenantId") {
			return false
		}
		for _, prefix := range []string{"line_item_", "bill_", "identity_", "lineitem/", "bill/"} {
			if strings.HasPrefix(name, prefix) {
				hits++
				break
			}
		}
	}
	return hits >= 3
}
