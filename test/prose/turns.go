package prose

import "regexp"

// A turn is a phrase that needs a second reading.
type turn struct {
	pattern *regexp.Regexp
	instead string // what to write
}

// turns are matched against a sentence or two without markup: a paragraph, a comment, a message.
var turns = []turn{
	avoid(`\bbesides?\b`, `"also", "next to", "in addition to"`),
	avoid(`\bof (its|his|her|their|our|one's) own\b`, `"its own" before the noun, or "separate"`),
	avoid(`\bwhoever\b`, `the person's role: "a user who …", "an admin"`),
	avoid(`\b(for|to|of|by) whom\b`, `a sentence that names the person first`),
	avoid(`\bwho sees?\b`, `"users with access to …", "scoped users"`),
	avoid(`\bwhat (is|was|are|were)\b`, `the name of the thing`),
	avoid(`\bthat which\b`, `the name of the thing`),
	avoid(`\banew\b`, `"again", "from scratch"`),
	avoid(`\bmade (of|again|from)\b`, `"built from", "rebuilt"`),
	avoid(`\b(is|are|was|were|be|been|being) (said|told|asked)\b`, `who states, logs or reads it`),
	avoid(`\b(told|tells?|telling) apart\b`, `"distinguish"`),
	avoid(`\b(tell|tells|told|telling) [a-z ]{1,30} apart\b`, `"distinguish"`),
	avoid(`\b(stands?|stood|standing) (at|in|on|here|there|below|above|beside|by)\b`, `"is"`),
	avoid(`\bnobody\b`, `"no one may …", "X is not allowed", or the passive`),
	avoid(`\b[Nn]one (of (it|them|which) )?(is|are|may|has|have|can|was|were|knows?|does|do)\b`, `"no ROWS are …"`),
	avoid(`\bwhere (nothing|nobody|none|there (is|are)|it is (not|un))`, `"if", "when"`),
	avoid(`\b[a-z]+s? of before\b`, `"existing …", "earlier …"`),
	avoid(`\b[Cc]hanges our mind\b`, `"Revisit if"`),
	avoid(`\bof (which|whom|whose) (nothing|none|nobody|no|one|each)\b`, `a sentence of its subject first`),
	avoid(`\bwhat of (it|them)\b`, `the name of the part`),
	avoid(`\b(speaks?|spoke|speaking) (against|for)\b`, `"blocks", "supports"`),
	avoid(`\bwhat (speaks|holds|stands|comes|goes|follows)\b`, `the name of the thing`),
	avoid(`\bmay what\b`, `the rights by name`),
	avoid(`\b([Hh]e|[Hh]is|[Hh]im|[Hh]imself|[Ss]he|[Hh]ers?)\b`, `"they", "the user", "the admin"`),
	avoid(`\b(are|is|were|was) no (filter|key|page|run|row|cost|mean|sum|rule|name|part)s?\b`, `"not a …"`),
	avoid(`\bnothing (is|was|are|were) (said|told|known|left|made|asked|of)\b`, `"no ROWS …", "unknown"`),
}

func avoid(pattern, instead string) turn {
	return turn{regexp.MustCompile(pattern), instead}
}

// question is a sentence in which "what is" is right.
var question = regexp.MustCompile(`[Ww]hat (is|was|are|were)\b[^.;:]*\?`)
