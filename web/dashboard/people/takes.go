package people

import "gpuledger/web/dashboard/page"

// Takes are the parameters of the pages in addition to the frame. A provider may add any to its answer.
var Takes = page.Parameters{
	"/login":         {"back"},
	beginPath:        {"back"},
	endPath:          {page.AnyParameter},
	logoutPath:       {page.AnyParameter},
	"/login/demo":    {"code"},
	"/welcome":       {"code"},
	"/people/change": {"name"},
	"/account":       {"done"},
}
