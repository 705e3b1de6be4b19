package policy

import (
	"strings"
	"testing"
)

func TestDefaultIsValid(t *testing.T) {
	if err := Default().Validate(); err != nil {
		t.Fatal(err)
	}
}

func TestValidateNamesTheSettingOutOfBounds(t *testing.T) {
	for want, change := range map[string]func(*Policy){
		"version is empty":                            func(p *Policy) { p.Version = "" },
		"scrape_step_seconds is 0":                    func(p *Policy) { p.ScrapeStep = 0 },
		"idle_threshold_ppm is -1":                    func(p *Policy) { p.IdleThresholdPPM = -1 },
		"idle_minutes is 721, allowed is 1 to 720":    func(p *Policy) { p.IdleMinutes = 721 },
		"overhead_limit_seconds is 3601":              func(p *Policy) { p.OverheadLimit = 3601 },
		"teardown_limit_seconds is -1":                func(p *Policy) { p.TeardownLimit = -1 },
		"run_gap_seconds is -1":                       func(p *Policy) { p.RunGap = -1 },
		"interruption_window_seconds is 86401":        func(p *Policy) { p.InterruptionWindow = 86_401 },
		"node_end_window_seconds is -1":               func(p *Policy) { p.NodeEndWindow = -1 },
		"unknown_steps is 1441, allowed is 0 to 1440": func(p *Policy) { p.UnknownSteps = 1441 },
	} {
		p := Default()
		change(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
