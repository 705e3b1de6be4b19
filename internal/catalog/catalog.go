package catalog

import (
	"bytes"
	_ "embed" // the tables
	"encoding/csv"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"time"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

//go:embed types.csv
var typesCSV []byte

//go:embed prices.csv
var pricesCSV []byte

// Kind tells GPUs from other accelerators.
type Kind string

// Kinds. Only GPUs make a node part of the GPU fleet (rule 2.4).
const (
	GPU         Kind = "gpu"
	Accelerator Kind = "accelerator"
)

// InstanceType is one machine type.
type InstanceType struct {
	Provider  string // "aws", "gcp", "azure"
	Name      string // provider's spelling
	Kind      Kind
	GPUModel  string   // short name, see Model
	GPUs      *big.Rat // may be a fraction of a GPU, or a multiple; > 0
	MemoryMiB int64    // per GPU or fraction; 0 = not known
	VCPU      int      // 0 = not known
	Source    string
	Date      time.Time // when the source was made
}

// Slots is the number of schedulable GPUs: 0 for a machine without GPUs, 1 for
// a machine with a fraction of one, else the whole number of GPUs.
func (t InstanceType) Slots() int {
	if t.Kind != GPU || t.GPUs.Sign() <= 0 {
		return 0
	}
	n := new(big.Int).Quo(t.GPUs.Num(), t.GPUs.Denom())
	return int(max(1, n.Int64()))
}

// Price is a public price of one machine type in one region.
type Price struct {
	Provider     string
	InstanceType string
	Region       string
	PriceClass   ledger.PriceClass
	Currency     string
	Hourly       money.Amount
	Source       string
	Date         time.Time
}

type tables struct {
	types  []InstanceType
	byName map[string]int // folded name
	prices []Price
	byKey  map[priceKey]int
}

type priceKey struct {
	name, region string
	class        ledger.PriceClass
}

var load = sync.OnceValues(func() (*tables, error) { return parse(typesCSV, pricesCSV) })

// Load parses the embedded tables once and reports their first defect. Lookups
// before it load by themselves.
func Load() error {
	_, err := load()
	return err
}

// fold makes names comparable: case and blanks around them do not matter, and
// Azure's "Standard_" prefix is optional.
func fold(name string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "standard_")
}

// Lookup returns the machine type of that name, whatever its case.
func Lookup(name string) (InstanceType, bool) {
	t, err := load()
	if err != nil {
		return InstanceType{}, false
	}
	i, ok := t.byName[fold(name)]
	if !ok {
		return InstanceType{}, false
	}
	return t.types[i], true
}

// OnDemand returns the public on-demand price of a machine type in a region.
func OnDemand(name, region string) (Price, bool) {
	t, err := load()
	if err != nil {
		return Price{}, false
	}
	i, ok := t.byKey[priceKey{fold(name), strings.ToLower(region), ledger.OnDemand}]
	if !ok {
		return Price{}, false
	}
	return t.prices[i], true
}

// Types lists all machine types, by provider and name.
func Types() ([]InstanceType, error) {
	t, err := load()
	if err != nil {
		return nil, err
	}
	return append([]InstanceType(nil), t.types...), nil
}

// Prices lists all public prices, by provider, name and region.
func Prices() ([]Price, error) {
	t, err := load()
	if err != nil {
		return nil, err
	}
	return append([]Price(nil), t.prices...), nil
}

func parse(typeText, priceText []byte) (*tables, error) {
	t := &tables{byName: map[string]int{}, byKey: map[priceKey]int{}}
	err := rows("types.csv", typeText, 9, func(f []string) error {
		it := InstanceType{Provider: f[0], Name: f[1], Kind: Kind(f[2]), GPUModel: f[3], Source: f[7]}
		if it.Provider == "" || it.Name == "" || it.GPUModel == "" || it.Source == "" {
			return fmt.Errorf("provider, instance_type, gpu_model and source must not be empty")
		}
		if it.Kind != GPU && it.Kind != Accelerator {
			return fmt.Errorf("kind %q is neither gpu nor accelerator", f[2])
		}
		var ok bool
		if it.GPUs, ok = new(big.Rat).SetString(f[4]); !ok || it.GPUs.Sign() <= 0 {
			return fmt.Errorf("gpu_count %q is not a positive number", f[4])
		}
		var err error
		if it.MemoryMiB, err = count(f[5]); err != nil {
			return fmt.Errorf("gpu_memory_mib: %w", err)
		}
		vcpu, err := count(f[6])
		if err != nil {
			return fmt.Errorf("vcpu: %w", err)
		}
		it.VCPU = int(vcpu)
		if it.Date, err = time.Parse(time.DateOnly, f[8]); err != nil {
			return fmt.Errorf("source_date: %w", err)
		}
		if _, twice := t.byName[fold(it.Name)]; twice {
			return fmt.Errorf("%s is listed twice", it.Name)
		}
		t.byName[fold(it.Name)] = len(t.types)
		t.types = append(t.types, it)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = rows("prices.csv", priceText, 8, func(f []string) error {
		p := Price{Provider: f[0], InstanceType: f[1], Region: f[2], PriceClass: ledger.PriceClass(f[3]), Currency: f[4], Source: f[6]}
		if _, known := t.byName[fold(p.InstanceType)]; !known {
			return fmt.Errorf("%s is not in types.csv", p.InstanceType)
		}
		if p.Region == "" || p.Source == "" || len(p.Currency) != 3 {
			return fmt.Errorf("region and source must not be empty, currency has three letters")
		}
		var err error
		if p.Hourly, err = money.Parse(f[5]); err != nil {
			return err
		}
		if p.Hourly.Sign() <= 0 {
			return fmt.Errorf("hourly price %s is not positive", f[5])
		}
		if p.Date, err = time.Parse(time.DateOnly, f[7]); err != nil {
			return fmt.Errorf("source_date: %w", err)
		}
		key := priceKey{fold(p.InstanceType), strings.ToLower(p.Region), p.PriceClass}
		if _, twice := t.byKey[key]; twice {
			return fmt.Errorf("%s in %s is priced twice", p.InstanceType, p.Region)
		}
		t.byKey[key] = len(t.prices)
		t.prices = append(t.prices, p)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

func rows(file string, text []byte, fields int, each func([]string) error) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = fields
	all, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("catalogue %s: %w", file, err)
	}
	for i, f := range all {
		if i == 0 {
			continue // names of the columns
		}
		if err := each(f); err != nil {
			return fmt.Errorf("catalogue %s:%d: %w", file, i+1, err)
		}
	}
	return nil
}

func count(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is not a positive whole number", s)
	}
	return n, nil
}
