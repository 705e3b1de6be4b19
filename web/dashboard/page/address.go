package page

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"gpuledger/internal/period"
	"gpuledger/metrics"
)

var bases = []string{"effective", "billed", "list", "contracted"}

// Longest bounds any parameter, in bytes.
const Longest = 200

// ReadScope reads the address, and refuses invalid parameters.
func ReadScope(r *http.Request) (Scope, error) {
	s, err := readFrame(r)
	if err == nil {
		err = s.check("costs", "", func(Term) {})
	}
	return s, err
}

// Passing is the scope of a page without figures, which hands it on to others: empty if the
// address has another meaning there.
func Passing(r *http.Request) Scope {
	s, err := ReadScope(r)
	if err != nil {
		return Scope{Basis: "effective", Path: r.URL.EscapedPath()}
	}
	return s
}

// ReadStatement is ReadScope for a page of statements, on which against names another one.
func ReadStatement(r *http.Request) (Scope, error) {
	s, err := readParams(r)
	if s.statements = true; err == nil {
		err = s.check("costs", "", func(Term) {})
	}
	return s, err
}

// readFrame is readParams for pages with a period that is compared.
func readFrame(r *http.Request) (Scope, error) {
	s, err := readParams(r)
	if err == nil {
		_, err = s.before(period.Interval{From: period.Second(period.Day), To: 2 * period.Second(period.Day)})
	}
	return s, err
}

func readParams(r *http.Request) (Scope, error) {
	v := r.URL.Query()
	s := Scope{
		Path: r.URL.EscapedPath(),
		From: v.Get("from"), To: v.Get("to"), Basis: v.Get("basis"),
		AsTable: v.Get("as") == "table", All: v.Get("attention") == "all",
	}
	for _, t := range texts {
		text := v.Get(t.name)
		if most := mostOf(t.name); len(text) > most {
			return Scope{}, &metrics.OptionError{
				Option: t.name, Value: text, Reason: fmt.Sprintf("is longer than %d bytes", most),
			}
		}
		*t.at(&s) = text
	}
	s.Text, s.Filter = strings.TrimSpace(s.Text), strings.TrimSpace(s.Filter)
	s.Page = 1
	if text := v.Get("page"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1_000_000 {
			return Scope{}, &metrics.OptionError{Option: "page", Value: text, Reason: "must be a whole number from 1 to 1000000"}
		}
		s.Page = n
	}
	if s.Basis == "" {
		s.Basis = "effective"
	}
	if text := v.Get("complete"); text != "" && text != "1" {
		return Scope{}, &metrics.OptionError{Option: "complete", Value: text, Reason: "must be 1, or left out"}
	}
	s.Complete = v.Get("complete") == "1"
	// The read model's rules check the window and the basis.
	q, err := metrics.Parse("costs", s.Costs(metrics.Options{Sharing: s.Sharing, BillingPeriod: s.BillingPeriod}))
	if err != nil {
		return Scope{}, err
	}
	if s.Sharing == "before" {
		s.Sharing = ""
	}
	s.Window = q.Window
	if s.billed() {
		s.Window, _ = q.BillingPeriod.Interval() // Parse has checked it
	}
	return s, nil
}
