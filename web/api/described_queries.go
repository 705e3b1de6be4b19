package api

import "net/http"

// preferParameter is the header that defers a question.
var preferParameter = Parameter{Name: "Prefer", In: "header", Shared: true,
	Schema: object{"type": "string", "enum": []string{"respond-async"}},
	Doc:    "respond-async: answer 202 with the address of a deferred query, and make the answer there."}

// mostParameter is the limit of a list without pages.
var mostParameter = Parameter{Name: "limit", In: "query", Example: 100,
	Schema: object{"type": "integer", "minimum": 1}, Doc: "Maximum number of entries; without it, all."}

// queryRoutes describe the routes of deferred queries.
func queryRoutes() []Route {
	id := inPathOf("id", "Id of the query, from the answer to its submission.", anID)
	none := Answer{Status: http.StatusNotFound, Doc: "There is no such query of yours, or its answer is no longer kept."}
	return []Route{
		{Method: http.MethodGet, Path: queriesPath, ID: "list_queries", Tag: tagQueries,
			Summary: "Your deferred queries, the newest first.", Parameters: []Parameter{mostParameter},
			Answers: []Answer{{Status: http.StatusOK, Doc: "The queries.", Contents: typed{inAnswer, queryList{}}.contents()}}},
		{Method: http.MethodGet, Path: queriesPath + "/{id}", ID: "get_query", Tag: tagQueries,
			Summary: "The state of a deferred query.", Parameters: []Parameter{id},
			Answers: []Answer{
				{Status: http.StatusOK, Doc: "Its state.", Contents: typed{inAnswer, queryStatus{}}.contents()}, none,
			}},
		{Method: http.MethodDelete, Path: queriesPath + "/{id}", ID: "delete_query", Tag: tagQueries,
			Summary: "Stop a deferred query, or delete its answer.", Parameters: []Parameter{id},
			Answers: []Answer{{Status: http.StatusNoContent, Doc: "It is gone."}, none}},
		{Method: http.MethodGet, Path: queriesPath + "/{id}/result", ID: "get_query_result", Tag: tagQueries,
			Summary: "The answer to a deferred query, in the requested format.", Doc: "It can be read in ranges.",
			Parameters: []Parameter{id},
			Answers: []Answer{
				{Status: http.StatusOK, Doc: "The answer.", Contents: []Content{
					{Type: "application/octet-stream", Example: "PAR1…"},
				}},
				{Status: http.StatusPartialContent, Doc: "A range of it."},
				{Status: http.StatusNotModified, Doc: "Unchanged since If-None-Match."}, none,
				{Status: http.StatusConflict, Doc: "The query is not answered yet, or has failed."},
				{Status: http.StatusRequestedRangeNotSatisfiable},
			}},
	}
}
