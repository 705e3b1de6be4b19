package views

// APIView is /docs/api: every route of the API, with examples.
type APIView struct {
	Shell
	Sentence, Sub string
	Links         []Link // the document, the metrics
	Contents      []Link
	Start         []Snippet
	Options       []APIParameter // of every dataset
	Groups        []APIGroup
	Problems      []APIAnswer
}

// Snippet is a text to copy, with a title. Name identifies it.
type Snippet struct{ Name, Title, Note, Text string }

// APIGroup are routes of one subject.
type APIGroup struct {
	ID, Title, Doc string
	Routes         []APIRoute
}

// APIRoute is a route with its examples.
type APIRoute struct {
	ID, Method, Path string
	Summary, Doc     string
	Parameters       []APIParameter // its own
	Options          []Link         // those that it shares with others
	Snippets         []Snippet      // request, body, answer
	Answers          []APIAnswer
	More             Link // columns of a dataset; empty: none
}

// APIParameter is a parameter.
type APIParameter struct {
	Name, Kind, Doc string
	Anchor          string // empty: it is not linked to
}

// APIAnswer is a status with its meaning.
type APIAnswer struct{ Status, Doc string }
