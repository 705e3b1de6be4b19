package config

import (
	"strings"
	"testing"
)

func TestLimits(t *testing.T) {
	for text, want := range map[string]string{
		"limits: {questions: 30, exports: 2}": "",
		"limits: {questions: 201}":            "limits.questions",
		"limits: {exports: -1}":               "limits.exports",
		"limits: {connections: 100001}":       "limits.connections",
		"limits: {rate: -1}":                  "limits.rate",
		"limits: {question: 5}":               "question",
	} {
		c, err := Parse([]byte(text+"\nsources: []\n"), Known{})
		switch {
		case want == "" && (err != nil || c.Limits != Limits{Questions: 30, Exports: 2}):
			t.Errorf("%s: %v %+v", text, err, c)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestWorkersOfAllocation(t *testing.T) {
	for text, want := range map[string]string{
		"allocation: {workers: 4}":     "",
		"allocation: {workers: 65}":    "0 to 64",
		"allocation: {workers: -1}":    "0 to 64",
		"allocation: {share_from: -1}": "share_from",
		"allocation: {worker: 4}":      "worker",
	} {
		c, err := Parse([]byte(text+"\nsources: []\n"), Known{})
		switch {
		case want == "" && (err != nil || c.Allocation.Workers != 4):
			t.Errorf("%s: %v %+v", text, err, c)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
