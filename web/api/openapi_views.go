package api

// viewPaths describes the routes of saved views.
func viewPaths(paths object) {
	body := ofJSON(viewBody{})
	schema := body["application/json"].(object)["schema"].(object)
	schema["required"], schema["additionalProperties"] = []string{"name", "url"}, false
	paths[viewsPath] = object{
		"get": object{
			"operationId": "list_views",
			"summary":     "Your saved views by name, then the newest 500 that others share.",
			"responses": object{"200": object{
				"description": "The views. `link` opens one; `start` marks your start page.", "content": ofJSON(savedViews{}),
			}},
		},
		"post": object{
			"operationId": "save_view", "summary": "Save the address of a page under a name.",
			"requestBody": object{"required": true, "content": body},
			"responses": object{
				"201": object{"description": "The view is saved; `link` opens it.", "content": ofJSON(madeView{})},
				"400": problemResponse("A field is invalid; `parameter` names it. url is the path and parameters of a page here."),
				"409": problemResponse("You have the most views that one may have."),
			},
		},
	}
	paths[viewsPath+"/{id}"] = object{"delete": object{
		"operationId": "delete_view", "summary": "Delete one of your views.",
		"parameters": []object{{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"},
			"description": "Id of the view."}},
		"responses": object{
			"204": object{"description": "The view is deleted."},
			"404": problemResponse("There is no such view, or it is not yours."),
		},
	}}
}
