package allocation

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"gpuledger/internal/ledger"
)

// Without evidence a card takes requests until its replicas are used up, then
// the next one does.
func TestReplicasWithoutEvidence(t *testing.T) {
	s := newStory(t, 2)
	s.node.Node.Replicas = 3
	s.pod("seen", "9:00", "12:00", 1, 0)
	s.pod("b", "10:00", "11:00", 2)
	s.pod("c", "10:00", "11:00", 2) // card 0 is full
	s.pod("d", "10:00", "11:00", 1)
	s.bill("10:00", 3600, "12")
	c := s.allocate()
	expect(t, account(c, "10:00", "seen", "b", "c", "d"), `
		unobserved seen 1/3 h $2
		unobserved b 2/3 h $4
		unobserved c 2/3 h $4
		unobserved d 1/3 h $2`)
	for _, u := range c.Usage {
		if u.Held && u.Quality != ledger.Estimated {
			t.Errorf("row %+v", u)
		}
	}
}

func TestReplicasOfOneCard(t *testing.T) {
	for _, c := range []struct {
		name  string
		cards int
		build func(*story)
		want  string
		lacks string // the finding about the pod that takes less
	}{
		{"a second pod on the only card", 1,
			func(s *story) { s.pod("a", "9:00", "12:00", 1); s.pod("b", "9:30", "12:00", 1) },
			"free - 1/2 h $4\nunobserved a 1/4 h $2\nunobserved b 1/4 h $2", ""},
		{"used up", 1, func(s *story) {
			s.pod("a", "9:00", "12:00", 3)
			s.pod("b", "9:30", "12:00", 1)
			s.pod("c", "9:45", "12:00", 1)
		},
			"unobserved a 3/4 h $6\nunobserved b 1/4 h $2", "pod ns/c (c) needs 1 "},
		{"free again in time", 1, func(s *story) { s.pod("a", "9:00", "10:00", 4); s.pod("b", "10:00", "12:00", 4) },
			"unobserved b 1 h $8", ""},
		{"never more than at its fullest second", 1, func(s *story) {
			s.pod("a", "9:00", "10:15", 2)
			s.pod("b", "10:15", "12:00", 2) // never together with a
			s.pod("c", "10:00", "12:00", 2)
		}, "unobserved a 1/8 h $1\nunobserved b 3/8 h $3\nunobserved c 1/2 h $4", ""},
		{"more than one card has", 2, func(s *story) { s.pod("a", "9:00", "12:00", 6); s.pod("b", "9:30", "12:00", 2) },
			"unobserved a 3/2 h $12\nunobserved b 1/2 h $4", ""},
		{"a whole card where there is one", 2, func(s *story) {
			s.pod("a", "9:00", "12:00", 1)
			s.pod("b", "9:30", "12:00", 4)
			s.pod("c", "9:40", "12:00", 3)
		},
			"unobserved a 1/4 h $2\nunobserved b 1 h $8\nunobserved c 3/4 h $6", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStory(t, c.cards)
			s.node.Node.Replicas = 4
			c.build(s)
			s.bill("10:00", 3600, fmt.Sprint(8*c.cards))
			chunk := s.allocate()
			expect(t, account(chunk, "10:00", "a", "b", "c"), c.want)
			var said []string
			for _, d := range chunk.Diagnostics {
				if d.Code == "request_not_placed" {
					said = append(said, d.Detail)
				}
			}
			if c.lacks == "" != (len(said) == 0) || c.lacks != "" && !strings.Contains(said[0], c.lacks) {
				t.Errorf("findings %q", said)
			}
		})
	}
}

// Requests that fit at every time are held whole: no pod takes another's replica, and no card gives more than it has.
func TestReplicasAreUsedUpAndNotMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards, replicas := rapid.IntRange(1, 3).Draw(t, "cards"), rapid.IntRange(2, 5).Draw(t, "replicas")
		s := newStory(t, cards)
		s.node.Node.Replicas = replicas
		left, held := int64(cards*replicas), int64(0)
		for i := 0; left > 0 && i < 12; i++ {
			q := rapid.Int64Range(1, min(left, int64(replicas)+2)).Draw(t, "requests")
			from := rapid.IntRange(0, 59).Draw(t, "from")
			s.pod(fmt.Sprintf("p%d", i), fmt.Sprintf("9:%02d", from), "11:00", q)
			left, held = left-q, held+q
		}
		c := s.allocate()
		total := new(big.Rat)
		for _, u := range c.Usage {
			if u.Hour == at("10:00") && u.Held {
				total.Add(total, u.Weight)
			}
		}
		if want := big.NewRat(held*3600, int64(replicas)); total.Cmp(want) != 0 {
			t.Fatalf("%s seconds of %s are held; %+v", total, want, c.Diagnostics)
		}
	})
}
