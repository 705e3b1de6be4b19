package export

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/decimal128"

	"gpuledger/internal/money"
)

// most digits of a DECIMAL: what 128 bits hold, and the widest that DuckDB and Spark know.
const precision = 38

// digits are the most that the values of a decimal column have before and after the point.
type digits struct{ whole, scale int }

func (d digits) with(o digits) digits { return digits{max(d.whole, o.whole), max(d.scale, o.scale)} }

// fit reports whether one DECIMAL holds all values of the column.
func (d digits) fit() bool { return d.whole+d.scale <= precision }

func (d digits) precision() int32 { return int32(d.width()) }

// maxCoef is the most digits of a coefficient that always fits an int64.
const maxCoef = 18

// coefficient is a plain decimal text as an integer and the number of its decimals, without trailing zeros; false if it
// is longer than an int64 or not plain.
func coefficient(text string) (coef int64, d digits, ok bool) {
	body, negative := strings.CutPrefix(text, "-")
	whole, frac, _ := strings.Cut(body, ".")
	whole, frac = strings.TrimLeft(whole, "0"), strings.TrimRight(frac, "0")
	if len(whole)+len(frac) > maxCoef || body == "" || body == "." {
		return 0, d, false
	}
	for _, part := range [2]string{whole, frac} {
		for i := range len(part) {
			c := part[i] - '0'
			if c > 9 {
				return 0, d, false
			}
			coef = coef*10 + int64(c)
		}
	}
	if negative {
		coef = -coef
	}
	return coef, digits{len(whole), len(frac)}, true
}

// counted digits of any decimal text.
func digitsOf(text string) (digits, error) {
	if _, d, ok := coefficient(text); ok {
		return d, nil
	}
	a, err := money.Parse(text)
	if err != nil {
		return digits{}, err
	}
	body := strings.TrimPrefix(a.String(), "-")
	whole, frac, _ := strings.Cut(body, ".")
	return digits{len(strings.TrimLeft(whole, "0")), len(frac)}, nil
}

// decimal is a decimal text as the integer of a DECIMAL with so many decimals, which hold it exactly.
func decimal(text string, scale int) (decimal128.Num, error) {
	a, err := money.Parse(text)
	if err != nil {
		return decimal128.Num{}, err
	}
	coef, have := a.Scaled()
	ten := func(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }
	if have <= scale {
		coef = new(big.Int).Mul(coef, ten(scale-have))
	} else if _, rest := coef.QuoRem(coef, ten(have-scale), new(big.Int)); rest.Sign() != 0 {
		return decimal128.Num{}, fmt.Errorf("%s has more than %d decimals", text, scale)
	}
	if coef.CmpAbs(ten(precision)) >= 0 {
		return decimal128.Num{}, fmt.Errorf("%s has more than %d digits with %d decimals", text, precision, scale)
	}
	return decimal128.FromBigInt(coef), nil
}

// scaled is a coefficient with so many more decimals. IncreaseScaleBy of the library computes with allocated integers.
func scaled(coef int64, by int) decimal128.Num {
	if by < 0 || by >= len(tens) {
		return decimal128.FromI64(coef).IncreaseScaleBy(int32(by))
	}
	negative := coef < 0
	if negative {
		coef = -coef
	}
	hi, lo := bits.Mul64(uint64(coef), tens[by])
	n := decimal128.New(int64(hi), lo)
	if negative {
		return n.Negate()
	}
	return n
}

// tens are the powers of ten that 64 bits hold.
var tens = func() (list [20]uint64) {
	list[0] = 1
	for i := range list[1:] {
		list[i+1] = 10 * list[i]
	}
	return list
}()

// Widths of DuckDB's decimals. It multiplies two of at most narrow digits in 64 bits if their decimals together are
// fewer than narrow, and refuses a product with more digits. With a wider factor it takes 128 bits.
const (
	narrow = 18
	wide   = narrow + 1
)

// multipliable widens some of the columns before the point, so that DuckDB can multiply any two of them: of each pair
// whose product may be refused, one is wide. It widens no more, since Spark rounds products of two wide columns.
func multipliable(of []digits) []digits {
	out := make([]digits, len(of))
	copy(out, of)
	refused := func(a, b digits) bool {
		return a.width() <= narrow && b.width() <= narrow && a.width()+b.width() > narrow && a.scale+b.scale < narrow
	}
	for i, d := range out {
		if refused(d, d) {
			out[i].whole = wide - d.scale
		}
	}
	for i := range out {
		for j := range out[:i] {
			if !refused(out[i], out[j]) {
				continue
			}
			at := j
			if out[i].width() > out[j].width() {
				at = i
			}
			out[at].whole = wide - out[at].scale
		}
	}
	return out
}

// width is the number of digits of a DECIMAL that holds the column.
func (d digits) width() int { return max(1, d.whole+d.scale) }
