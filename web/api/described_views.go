package api

import "net/http"

// viewRoutes describe the routes of saved views.
func viewRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Path: viewsPath, ID: "list_views", Tag: tagViews,
			Summary:    "Your saved views by name, then the newest 500 that others share.",
			Parameters: []Parameter{mostParameter},
			Answers: []Answer{{Status: http.StatusOK, Doc: "The views. `link` opens one; `start` marks your start page.",
				Contents: typed{inAnswer, savedViews{}}.contents()}}},
		{Method: http.MethodPost, Path: viewsPath, ID: "save_view", Tag: tagViews,
			Summary: "Save the address of a page under a name.",
			Body:    &Body{Required: true, Contents: typed{inBody, viewBody{}}.contents()},
			Answers: []Answer{
				{Status: http.StatusCreated, Doc: "The view is saved; `link` opens it.",
					Contents: typed{inAnswer, madeView{}}.contents()},
				{Status: http.StatusBadRequest,
					Doc: "A field is invalid. `parameter` names it. url is the path and parameters of a page here."},
				{Status: http.StatusConflict, Doc: "You have the most views that one may have."},
			}},
		{Method: http.MethodDelete, Path: viewsPath + "/{id}", ID: "delete_view", Tag: tagViews,
			Summary:    "Delete one of your views.",
			Parameters: []Parameter{inPathOf("id", "Id of the view.", anID)},
			Answers: []Answer{
				{Status: http.StatusNoContent, Doc: "The view is deleted."},
				{Status: http.StatusNotFound, Doc: "There is no such view, or it is not yours."},
			}},
	}
}
