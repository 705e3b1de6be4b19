package pg

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
	"gpuledger/internal/period"
)

// Microseconds from the Unix epoch to PostgreSQL's, 2000-01-01.
const epochMicros = 946_684_800_000_000

// EndOfTime replaces 'infinity' as the end of open intervals: the last second of year 9999.
const EndOfTime period.Second = 253_402_300_799

// RegisterTypes registers the ledger's types on a connection: uuid ↔ ledger.ID (NULL ↔ zero when read), bytea → SHA-256
// (NULL → zero), bigint → 64 bits, numeric ↔ money.Amount or its text, timestamptz ↔ period.Second (NULL ↔ 0 when
// read); a time.Time is read in UTC.
func RegisterTypes(conn *pgx.Conn) {
	m := conn.TypeMap()
	register := func(name, array string, oid, arrayOID uint32, codec pgtype.Codec) {
		t := &pgtype.Type{Name: name, OID: oid, Codec: codec}
		m.RegisterType(t)
		m.RegisterType(&pgtype.Type{Name: array, OID: arrayOID, Codec: &pgtype.ArrayCodec{ElementType: t}})
	}
	register("uuid", "_uuid", pgtype.UUIDOID, pgtype.UUIDArrayOID, idCodec{})
	register("bytea", "_bytea", pgtype.ByteaOID, pgtype.ByteaArrayOID, sumCodec{})
	register("int8", "_int8", pgtype.Int8OID, pgtype.Int8ArrayOID, bitsCodec{})
	register("numeric", "_numeric", pgtype.NumericOID, pgtype.NumericArrayOID, amountCodec{})
	register("timestamptz", "_timestamptz", pgtype.TimestamptzOID, pgtype.TimestamptzArrayOID,
		&secondCodec{pgtype.TimestamptzCodec{ScanLocation: time.UTC}})
}

type idCodec struct{ pgtype.UUIDCodec }

func (c idCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(ledger.ID); ok && format == pgtype.BinaryFormatCode {
		return encodeFunc(func(value any, buf []byte) []byte { id := value.(ledger.ID); return append(buf, id[:]...) })
	}
	return c.UUIDCodec.PlanEncode(m, oid, format, value)
}

func (c idCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if format == pgtype.BinaryFormatCode {
		switch target.(type) {
		case *ledger.ID:
			return scanFunc(func(src []byte, target any) error { return scanID(src, target.(*ledger.ID)) })
		case *string:
			return scanFunc(func(src []byte, target any) error {
				var id ledger.ID
				err := scanID(src, &id)
				*target.(*string) = id.String()
				return err
			})
		}
	}
	return c.UUIDCodec.PlanScan(m, oid, format, target)
}

type sumCodec struct{ pgtype.ByteaCodec }

func (c sumCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*[sha256.Size]byte); ok && format == pgtype.BinaryFormatCode {
		return scanFunc(func(src []byte, target any) error {
			sum := target.(*[sha256.Size]byte)
			*sum = [sha256.Size]byte{}
			if src != nil && copy(sum[:], src) != len(src) {
				return fmt.Errorf("a SHA-256 has %d bytes", len(src))
			}
			return nil
		})
	}
	return c.ByteaCodec.PlanScan(m, oid, format, target)
}

type bitsCodec struct{ pgtype.Int8Codec }

func (c bitsCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*uint64); ok && format == pgtype.BinaryFormatCode {
		return scanFunc(func(src []byte, target any) error {
			if len(src) != 8 {
				return fmt.Errorf("a bigint has %d bytes", len(src))
			}
			*target.(*uint64) = binary.BigEndian.Uint64(src)
			return nil
		})
	}
	return c.Int8Codec.PlanScan(m, oid, format, target)
}

func scanID(src []byte, to *ledger.ID) error {
	*to = ledger.ID{}
	if src != nil && copy(to[:], src) != len(src) {
		return fmt.Errorf("a uuid has %d bytes", len(src))
	}
	return nil
}

type amountCodec struct{ pgtype.NumericCodec }

func (c amountCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(money.Amount); ok && format == pgtype.BinaryFormatCode {
		return encodeFunc(func(value any, buf []byte) []byte { return appendAmount(buf, value.(money.Amount)) })
	}
	return c.NumericCodec.PlanEncode(m, oid, format, value)
}

func (c amountCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if format == pgtype.BinaryFormatCode {
		switch target.(type) {
		case *money.Amount:
			return scanFunc(func(src []byte, target any) error { return scanAmount(src, target.(*money.Amount)) })
		case *string:
			return scanFunc(func(src []byte, target any) error {
				var a money.Amount
				err := scanAmount(src, &a)
				*target.(*string) = a.String()
				return err
			})
		}
	}
	return c.NumericCodec.PlanScan(m, oid, format, target)
}

func scanAmount(src []byte, to *money.Amount) (err error) {
	if src == nil {
		return fmt.Errorf("an amount is NULL but must be known")
	}
	*to, err = ParseNumeric(src)
	return err
}

type secondCodec struct{ pgtype.TimestamptzCodec }

func (c *secondCodec) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(period.Second); ok && format == pgtype.BinaryFormatCode {
		return encodeFunc(func(value any, buf []byte) []byte { return appendSecond(buf, value.(period.Second)) })
	}
	return c.TimestamptzCodec.PlanEncode(m, oid, format, value)
}

func (c *secondCodec) PlanScan(m *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*period.Second); ok && format == pgtype.BinaryFormatCode {
		return scanFunc(func(src []byte, target any) (err error) {
			*target.(*period.Second), err = ParseSecond(src)
			return err
		})
	}
	return c.TimestamptzCodec.PlanScan(m, oid, format, target)
}

func appendSecond(buf []byte, s period.Second) []byte {
	if s >= EndOfTime {
		return binary.BigEndian.AppendUint64(buf, math.MaxInt64)
	}
	return binary.BigEndian.AppendUint64(buf, uint64(int64(s)*1_000_000-epochMicros))
}

// ParseTime parses a timestamptz in UTC. Infinities are errors.
func ParseTime(src []byte) (time.Time, error) {
	if len(src) != 8 {
		return time.Time{}, fmt.Errorf("a timestamptz has %d bytes", len(src))
	}
	v := int64(binary.BigEndian.Uint64(src))
	if v == math.MaxInt64 || v == math.MinInt64 {
		return time.Time{}, errors.New("a time is infinite")
	}
	return time.UnixMicro(v + epochMicros).UTC(), nil
}

// ParseSecond parses a timestamptz: NULL and -infinity are 0, infinity is EndOfTime, and fractions of a second are cut
// off.
func ParseSecond(src []byte) (period.Second, error) {
	if src == nil {
		return 0, nil
	}
	if len(src) != 8 {
		return 0, fmt.Errorf("a timestamptz has %d bytes", len(src))
	}
	switch v := int64(binary.BigEndian.Uint64(src)); v {
	case math.MaxInt64:
		return EndOfTime, nil
	case math.MinInt64:
		return 0, nil
	default:
		return period.FromTime(time.UnixMicro(v + epochMicros)), nil
	}
}

// encodeFunc and scanFunc are plans for values that are never written as NULL but may be read as NULL.
type encodeFunc func(value any, buf []byte) []byte

func (f encodeFunc) Encode(value any, buf []byte) ([]byte, error) { return f(value, buf), nil }

type scanFunc func(src []byte, target any) error

func (f scanFunc) Scan(src []byte, target any) error { return f(src, target) }

// PgxBytes is a bytea read in place: valid until the next row.
type PgxBytes []byte

// ScanBytes implements pgtype.BytesScanner.
func (b *PgxBytes) ScanBytes(v []byte) error {
	*b = v
	return nil
}

// Collect appends every row to list.
func Collect[T any](list *[]T, scan func(pgx.Rows, *T) error) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			var v T
			if err := scan(rows, &v); err != nil {
				return err
			}
			*list = append(*list, v)
		}
		return rows.Err()
	}
}
