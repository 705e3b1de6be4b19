package posting

import (
	"fmt"
	"math/big"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"gpuledger/internal/ledger"
	"gpuledger/internal/money"
)

// fill sets every field of a value to a non-zero value.
func fill(v reflect.Value, n *int) {
	*n++
	switch x := v.Addr().Interface().(type) {
	case *money.Amount:
		*x = money.MustParse(fmt.Sprintf("%d.000000000001", *n))
		return
	case *ledger.ID:
		*x = ledger.NewID("test", fmt.Sprint(*n))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for f, field := range v.Fields() {
			if f.Tag.Get("json") == "-" { // no figure follows from it
				continue
			}
			fill(field, n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprintf("text \x01 %d é", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Int8, reflect.Int16:
		v.SetInt(int64(*n % 100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(*n % 100))
	default:
		panic("a kind of field that the test does not know: " + v.Kind().String())
	}
}

// TestWorkSurvivesSerialisation: a field lost in JSON would change the ledger.
func TestWorkSurvivesSerialisation(t *testing.T) {
	w, n := &NodeWork{}, 0
	fill(reflect.ValueOf(w).Elem(), &n)
	for i := range w.Days {
		w.Days[i].Policy = i
	}
	w.Days[0].CoveredUntil = 1<<62 - 1
	packed, err := packWork([]*NodeWork{w, {NodeID: w.NodeID, Gone: true}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := unpackWork(packed)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	equal := cmp.Options{
		cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }), cmp.AllowUnexported(money.Amount{}),
	}
	if diff := cmp.Diff(w, list[0], equal); diff != "" {
		t.Error(diff)
	}
	for name, bad := range map[string][]byte{"nothing": nil, "cut": packed[:len(packed)/2], "other": []byte("{}")} {
		if _, err := unpackWork(bad); err == nil {
			t.Error("unpacked ", name)
		}
	}
	w.Days[0].Policy = 9
	if packed, err = packWork([]*NodeWork{w}); err != nil {
		t.Fatal(err)
	}
	if _, err := unpackWork(packed); err == nil {
		t.Error("unpacked a day without a policy")
	}
}

func TestAttemptsAreHandedOverWithTheNodesSegments(t *testing.T) {
	a, b := ledger.NewID("workload", "a"), ledger.NewID("workload", "b")
	w := NodeWork{}
	w.Input.Workloads = append(w.Input.Workloads, w.Input.Workloads...)
	w.Input.Workloads = append(w.Input.Workloads, struct {
		ledger.Workload
		System   ledger.System
		Requests map[string]int64
	}{Workload: ledger.Workload{ID: a}})
	w.Input.Attempts = []ledger.Attempt{
		{RunID: "r", Segments: []ledger.Segment{{Workload: a, To: 1}, {Workload: b, To: 2}, {Workload: a, To: 3}}},
	}
	got := ownSegments(w.Input)
	if len(got[0].Segments) != 2 || got[0].Segments[1].To != 3 || len(w.Input.Attempts[0].Segments) != 3 {
		t.Error(got, w.Input.Attempts)
	}
}
