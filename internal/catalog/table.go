package catalog

import (
	"bytes"
	"cmp"
	_ "embed" // the tables
	"encoding/csv"
	"fmt"
	"math/big"
	"slices"
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

// Columns of the tables, in their order; PriceColumns are those of imported prices, too.
var (
	typeColumns = []string{
		"provider", "instance_type", "kind", "gpu_model", "gpu_count",
		"gpu_memory_mib", "vcpu", "memory_gib", "source", "source_date",
	}
	PriceColumns = []string{
		"provider", "instance_type", "region", "price_class", "currency", "hourly", "source", "source_date",
	}
)

type tables struct {
	types     []InstanceType
	byName    map[string][]int // folded name → one type per provider
	providers map[string]bool
	prices    []Price
	byKey     map[priceKey][]int // by date
}

type priceKey struct {
	provider, name, region string
	class                  ledger.PriceClass
}

var load = sync.OnceValues(func() (*tables, error) { return parse(typesCSV, pricesCSV) })

func parse(typeText, priceText []byte) (*tables, error) {
	t := &tables{byName: map[string][]int{}, providers: map[string]bool{}, byKey: map[priceKey][]int{}}
	if err := rows("types.csv", typeText, typeColumns, t.addType); err != nil {
		return nil, err
	}
	if err := rows("prices.csv", priceText, PriceColumns, t.addPrice); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *tables) addType(f []string) error {
	it := InstanceType{Provider: f[0], Name: f[1], Kind: Kind(f[2]), GPUModel: f[3], Source: f[8]}
	if it.Provider == "" || it.Name == "" || it.GPUModel == "" || it.Source == "" {
		return fmt.Errorf("provider, instance_type, gpu_model and source must not be empty")
	}
	if !slices.Contains([]string{AWS, GCP, Azure}, it.Provider) {
		return fmt.Errorf("provider %q is not one of aws, gcp, azure", it.Provider)
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
	if f[7] != "" {
		if it.HostGiB, ok = new(big.Rat).SetString(f[7]); !ok || it.HostGiB.Sign() <= 0 {
			return fmt.Errorf("memory_gib %q is not a positive number", f[7])
		}
	}
	if it.Date, err = time.Parse(time.DateOnly, f[9]); err != nil {
		return fmt.Errorf("source_date: %w", err)
	}
	name := fold(it.Name)
	for _, i := range t.byName[name] {
		if t.types[i].Provider == it.Provider {
			return fmt.Errorf("%s is listed twice", it.Name)
		}
	}
	if n := len(t.types); n > 0 {
		last := t.types[n-1]
		if cmp.Or(cmp.Compare(last.Provider, it.Provider), cmp.Compare(last.Name, it.Name)) > 0 {
			return fmt.Errorf("%s comes after %s: rows are ordered by provider and name", it.Name, last.Name)
		}
	}
	t.byName[name] = append(t.byName[name], len(t.types))
	t.providers[it.Provider] = true
	t.types = append(t.types, it)
	return nil
}

func (t *tables) addPrice(f []string) error {
	p, err := ReadPrice(f)
	if err != nil {
		return err
	}
	if !t.sells(p.Provider, p.InstanceType) {
		return fmt.Errorf("%s %s is not in types.csv", p.Provider, p.InstanceType)
	}
	if n := len(t.prices); n > 0 {
		switch order := comparePrices(t.prices[n-1], p); {
		case order == 0:
			return fmt.Errorf("%s in %s is priced twice on %s", p.InstanceType, p.Region, f[7])
		case order > 0:
			return fmt.Errorf("%s in %s comes after %s: rows are ordered by provider, type, region, class and date",
				p.InstanceType, p.Region, t.prices[n-1].InstanceType)
		}
	}
	t.index(p)
	return nil
}

// index adds a price after those of the same key that are older.
func (t *tables) index(p Price) {
	key := priceKey{p.Provider, fold(p.InstanceType), strings.ToLower(p.Region), p.PriceClass}
	t.byKey[key] = append(t.byKey[key], len(t.prices))
	t.prices = append(t.prices, p)
}

func (t *tables) sells(provider, name string) bool {
	return slices.ContainsFunc(t.byName[fold(name)], func(i int) bool { return t.types[i].Provider == provider })
}

// ReadPrice reads a row of PriceColumns. It does not check whether the machine type exists.
func ReadPrice(f []string) (Price, error) {
	p := Price{
		Provider: f[0], InstanceType: f[1], Region: f[2], PriceClass: ledger.PriceClass(f[3]), Currency: f[4], Source: f[6],
	}
	if p.Region == "" || p.Source == "" || len(p.Currency) != 3 {
		return p, fmt.Errorf("region and source must not be empty, currency has three letters")
	}
	if p.PriceClass != ledger.OnDemand && p.PriceClass != ledger.Spot {
		return p, fmt.Errorf("price_class %q is neither on_demand nor spot", f[3])
	}
	var err error
	if p.Hourly, err = money.Parse(f[5]); err != nil {
		return p, fmt.Errorf("hourly: %w", err)
	}
	if p.Hourly.Sign() <= 0 {
		return p, fmt.Errorf("hourly price %s is not positive", f[5])
	}
	if p.Date, err = time.Parse(time.DateOnly, f[7]); err != nil {
		return p, fmt.Errorf("source_date: %w", err)
	}
	return p, nil
}

func rows(file string, text []byte, columns []string, each func([]string) error) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = len(columns)
	all, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("catalogue %s: %w", file, err)
	}
	if len(all) == 0 || !slices.Equal(all[0], columns) {
		return fmt.Errorf("catalogue %s:1: the columns are %s", file, strings.Join(columns, ","))
	}
	for i, f := range all[1:] {
		if err := each(f); err != nil {
			return fmt.Errorf("catalogue %s:%d: %w", file, i+2, err)
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
