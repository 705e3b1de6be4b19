package explain

import (
	"net/http"
	"strings"

	"gpuledger/metrics"
	"gpuledger/web/dashboard/page"
	"gpuledger/web/views"
	"gpuledger/web/views/format"
)

// metricsDoc shows definitions of figures: all of them, those that contain the words of q, or those
// that the parameter of names.
func (d *room) metricsDoc(w http.ResponseWriter, r *http.Request) {
	v := views.ReferenceView{
		Shell:    d.Shell(r, page.Passing(r), "metrics", "Metrics"),
		Text:     strings.TrimSpace(r.URL.Query().Get("q")),
		Sentence: "One definition per figure.", Sub: "Pages, API, exports and SQL views all use these definitions.",
	}
	if len(v.Text) > page.Longest {
		d.Refused(w, r, &metrics.OptionError{Option: "q", Value: v.Text, Reason: "is longer than 200 bytes"})
		return
	}
	switch of := r.URL.Query().Get("of"); {
	case v.Text != "":
		v.Chapters = metrics.Search(v.Text, kindChapters...)
	case of != "":
		v.Chapters = metrics.Definitions(strings.Split(of, ","), kindChapters...)
	default:
		v.Chapters = metrics.Reference(kindChapters...)
		for _, c := range v.Chapters {
			v.Contents = append(v.Contents, views.Link{Text: c.Title, Href: "#" + c.Name})
		}
		d.Render(w, r, http.StatusOK, views.ReferencePage(v))
		return
	}
	v.All = views.Link{Text: "All figures", Href: metrics.ReferencePath}
	found := 0
	for _, c := range v.Chapters {
		found += len(c.Definitions)
	}
	switch {
	case found == 0 && v.Text != "":
		v.Sentence, v.None = "No definition contains all of these words.", "Try fewer words, or the name of a column."
	case found == 0:
		v.Sentence, v.None = "No such figure is defined.", "The address may be from another version."
	default:
		v.Sentence = format.Plural(found, "definition", "definitions") + "."
	}
	d.Render(w, r, http.StatusOK, views.ReferencePage(v))
}
