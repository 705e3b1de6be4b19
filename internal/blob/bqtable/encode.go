package bqtable

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"cloud.google.com/go/bigquery"
	"cloud.google.com/go/civil"
)

// appendRecord writes a row or a nested record as a JSON object.
func appendRecord(b []byte, row []bigquery.Value, schema bigquery.Schema) ([]byte, error) {
	if len(row) != len(schema) {
		return nil, fmt.Errorf("a row has %d fields, its schema %d", len(row), len(schema))
	}
	b = append(b, '{')
	first := true
	for i, field := range schema {
		if row[i] == nil {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, field.Name), ':')
		var err error
		if b, err = appendField(b, row[i], field); err != nil {
			return nil, fmt.Errorf("column %s: %w", field.Name, err)
		}
	}
	return append(b, '}'), nil
}

func appendField(b []byte, v bigquery.Value, field *bigquery.FieldSchema) ([]byte, error) {
	if !field.Repeated {
		return appendValue(b, v, field)
	}
	list, ok := v.([]bigquery.Value)
	if !ok {
		return nil, fmt.Errorf("a repeated field holds %T", v)
	}
	b = append(b, '[')
	var err error
	for i, e := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, e, field); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func appendValue(b []byte, v bigquery.Value, field *bigquery.FieldSchema) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case string: // STRING, GEOGRAPHY, JSON as text
		return appendString(b, v), nil
	case []byte:
		return appendString(b, base64.StdEncoding.EncodeToString(v)), nil
	case bool:
		return strconv.AppendBool(b, v), nil
	case int64:
		return append(strconv.AppendInt(append(b, '"'), v, 10), '"'), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) { // no number of JSON
			return appendString(b, strconv.FormatFloat(v, 'g', -1, 64)), nil
		}
		return strconv.AppendFloat(b, v, 'g', -1, 64), nil
	case *big.Rat:
		text, err := decimal(v, field.Type)
		return appendString(b, text), err
	case time.Time:
		return appendString(b, v.UTC().Format("2006-01-02 15:04:05.999999")+" UTC"), nil
	case civil.Date, civil.Time, civil.DateTime, *bigquery.IntervalValue, *bigquery.RangeValue:
		return appendString(b, fmt.Sprint(v)), nil
	case []bigquery.Value:
		return appendRecord(b, v, field.Schema)
	}
	return nil, fmt.Errorf("type %s is not known here", field.Type)
}

// decimal writes a NUMERIC with all its digits and no more. An amount that
// its type cannot hold is an error, never rounded.
func decimal(v *big.Rat, of bigquery.FieldType) (string, error) {
	scale := bigquery.NumericScaleDigits
	if of == bigquery.BigNumericFieldType {
		scale = bigquery.BigNumericScaleDigits
	}
	text := v.FloatString(scale)
	if exact, ok := new(big.Rat).SetString(text); !ok || exact.Cmp(v) != 0 {
		return "", fmt.Errorf("%s has more than %d decimals", v, scale)
	}
	if strings.ContainsRune(text, '.') {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text, nil
}

// appendString writes JSON text; what is no UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	text, err := json.Marshal(s)
	if err != nil { // strings always can
		return append(b, `""`...)
	}
	return append(b, text...)
}
