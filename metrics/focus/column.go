package focus

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// Versions of the specification that are written, the default first.
var Versions = []string{"1.4", "1.3"}

// Type is the type of a column's values.
type Type string

// Types.
const (
	Text     Type = "text"
	JSON     Type = "json" // an object, as text
	Time     Type = "time"
	Cost     Type = "cost"     // in the row's currency
	Price    Type = "price"    // per unit, never negative
	Quantity Type = "quantity" // of the row's unit
	Decimal  Type = "decimal"
)

// Level is how binding a column is.
type Level string

// Levels.
const (
	Mandatory   Level = "mandatory"
	Conditional Level = "conditional"
	Recommended Level = "recommended"
)

// Column is a column of a FOCUS dataset.
type Column struct {
	Name   string
	Level  Level
	Null   bool // it may be NULL
	Type   Type
	Values []string // the allowed values; none: any
	Doc    string

	since, until string // versions; empty: all
}

// In reports whether a version of the specification has the column.
func (c Column) In(version string) bool {
	return (c.since == "" || version >= c.since) && (c.until == "" || version <= c.until)
}

// Versions is a sentence on the versions that have the column; empty: all of them.
func (c Column) Versions() string {
	switch {
	case c.since != "":
		return "Since FOCUS " + c.since + "."
	case c.until != "":
		return "Until FOCUS " + c.until + "."
	}
	return ""
}

// Dataset is a dataset of the specification.
type Dataset struct {
	Name     string
	Versions []string // that have it, the default first
	Columns  []Column
}

//go:embed *.txt
var files embed.FS

// The datasets.
var (
	CostAndUsage       = read("CostAndUsage", "cost_and_usage.txt")
	ContractCommitment = read("ContractCommitment", "contract_commitment.txt")
	BillingPeriod      = read("BillingPeriod", "billing_period.txt")
	InvoiceDetail      = read("InvoiceDetail", "invoice_detail.txt")
)

// Column finds a column by its name.
func (d *Dataset) Column(name string) (Column, bool) {
	i := slices.IndexFunc(d.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		return Column{}, false
	}
	return d.Columns[i], true
}

// Has reports whether a version has the dataset.
func (d *Dataset) Has(version string) bool { return slices.Contains(d.Versions, version) }

// read reads a dataset's file.
func read(name, file string) *Dataset {
	text, err := files.ReadFile(file)
	if err != nil {
		panic(err)
	}
	d := &Dataset{Name: name}
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c, err := parse(line)
		if err != nil {
			panic(fmt.Sprintf("%s:%d: %v", file, n+1, err))
		}
		d.Columns = append(d.Columns, c)
	}
	d.Versions = slices.DeleteFunc(slices.Clone(Versions), func(v string) bool {
		return !slices.ContainsFunc(d.Columns, func(c Column) bool { return c.In(v) })
	})
	return d
}

// parse reads a line: name | level | null or value | type | versions | values | meaning.
func parse(line string) (Column, error) {
	f := strings.Split(line, " | ")
	if len(f) != 7 || f[6] == "" {
		return Column{}, fmt.Errorf("%q has not seven parts", line)
	}
	c := Column{Name: f[0], Level: Level(f[1]), Null: f[2] == "null", Type: Type(f[3]), Doc: f[6]}
	switch c.Level {
	case Mandatory, Conditional, Recommended:
	default:
		return Column{}, fmt.Errorf("unknown level %q", f[1])
	}
	switch c.Type {
	case Text, JSON, Time, Cost, Price, Quantity, Decimal:
	default:
		return Column{}, fmt.Errorf("unknown type %q", f[3])
	}
	if f[2] != "null" && f[2] != "value" {
		return Column{}, fmt.Errorf("%q is neither null nor value", f[2])
	}
	if f[4] != "-" {
		var ok bool
		if c.since, c.until, ok = strings.Cut(f[4], "-"); !ok {
			return Column{}, fmt.Errorf("%q are no versions: write 1.4- or -1.3", f[4])
		}
	}
	if f[5] != "-" {
		c.Values = strings.Split(f[5], ", ")
	}
	return c, nil
}
