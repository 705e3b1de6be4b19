package fleetsim

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"gpuledger/internal/fleetsim/world"
)

// WriteAnnotations writes what the teams of a fleet with Review report about its change of course.
func (f *Fleet) WriteAnnotations(dir string) error {
	w := f.Clusters[0].World
	if !w.Config.Review {
		return nil
	}
	at := time.Unix(w.ChangeAt(), 0).UTC().Format(time.RFC3339)
	body := fmt.Sprintf("at,until,kind,key,value,text,source,link\n"+
		"%s,,deploy,team,%s,new data loader for the shelf-vit training,ci,https://ci.example.com/vision/loader\n"+
		"%s,,note,team,%s,%s ended and its machine given back,platform-engineer,\n",
		at, world.Vision.Name, at, world.Speech.Name, world.Forgotten)
	if err := os.WriteFile(filepath.Join(dir, "annotations.csv"), []byte(body), 0o644); err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	return nil
}
