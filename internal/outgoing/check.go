package outgoing

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gpuledger/internal/export"
	"gpuledger/internal/nearest"
	"gpuledger/metrics"
)

// Check refuses a schedule that cannot run, with the first of its Faults.
func (s Schedule) Check() error {
	if faults := s.Faults(); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// Faults lists what prevents a schedule from running. Each is a *metrics.OptionError, which names an option of the
// command, or a *metrics.UnknownDatasetError. It does not look at the target.
func (s Schedule) Faults() (faults []error) {
	refuse := func(option, value, reason string) {
		faults = append(faults, &metrics.OptionError{Option: option, Value: value, Reason: reason})
	}
	if !scheduleName.MatchString(s.Name) {
		refuse("name", s.Name, "must be at most 64 letters, digits, dots and hyphens")
	}
	if !slices.Contains(Cadences, s.Every) {
		refuse("every", string(s.Every), "must be hourly, daily, weekly or monthly"+suggested(s.Every, Cadences))
	}
	switch { // the bounds of keep depend on months
	case s.Months < 1 || s.Months > MostMonths:
		refuse("months", strconv.Itoa(s.Months), "must be from 1 to "+strconv.Itoa(MostMonths))
	case s.Keep != 0 && s.Keep < s.Months || s.Keep > MostMonths:
		refuse("keep", strconv.Itoa(s.Keep), "must be at least months ("+strconv.Itoa(s.Months)+
			") and at most "+strconv.Itoa(MostMonths)+", or 0 for all")
	}
	scheme, rest, remote := strings.Cut(s.Target, "://")
	if !remote {
		rest = s.Target
	}
	switch {
	case rest == "" || len(s.Target) > longestTarget || strings.ContainsFunc(s.Target, unicode.IsControl):
		refuse("to", "", "must be a folder: a path, or a URI such as s3://bucket/folder")
	case remote && scheme == "az" && strings.ContainsAny(rest, "?#"), remote && strings.Contains(rest, "@"):
		refuse("to", "", "must not contain a signature, user or password, since it is stored and shown: set "+
			"AZURE_STORAGE_SAS_TOKEN or another credential in the environment of the server")
	case s.Local() && !strings.HasPrefix(rest, "/"):
		refuse("to", s.Target, "must be an absolute path: the server may run in another folder")
	}
	return append(faults, s.Question(anyMonth).faults()...)
}

// faults lists what the ledger cannot answer of a question: each refused option is left out to find the next.
func (q Question) faults() (list []error) {
	for err := q.Check(); err != nil; err = q.Check() {
		list = append(list, err)
		if refused, ok := errors.AsType[*metrics.OptionError](err); !ok || !q.leaveOut(refused.Option) {
			break
		}
	}
	return list
}

// leaveOut leaves out an option and those that need it. It returns false if the question does not have it.
func (q *Question) leaveOut(option string) bool {
	switch option {
	case "format":
		q.Format, q.ForExcel = export.Parquet, false
		return true
	case "for-excel":
		q.ForExcel = false
		return true
	case "currency":
		q.Options.CurrencyMissing = ""
	}
	value := OptionOf(&q.Options, option)
	if value == nil || *value == "" {
		return false
	}
	*value = ""
	return true
}

// suggested is the nearest of the known words, as the end of a reason.
func suggested[W ~string](typed W, known []W) string {
	words := make([]string, len(known))
	for i, w := range known {
		words[i] = string(w)
	}
	return nearest.Suggest(string(typed), words)
}
