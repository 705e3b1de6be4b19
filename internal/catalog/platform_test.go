package catalog

import "testing"

func TestPlatformsDecideWhichCardsRunTheSameSoftware(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"L4", "T4"}: true, {"H100", "A100 40GB"}: true,
		{"V100 16GB", "T4"}: true, {"L4", "L4"}: true, {"MI300X", "MI25"}: true,
		{"L4", "Radeon Pro V520"}: false, {"MI300X", "L4"}: false,
		{"L4", "T4G"}: false, {"GB200", "T4G"}: true, {"A10G", "M60"}: false,
		{"L4", "Inferentia2"}: false, {"Inferentia2", "Inferentia2"}: false, {"", ""}: false,
	} {
		if got := RunsOn(pair[0], pair[1]); got != want {
			t.Errorf("what runs on %q runs on %q: %v", pair[0], pair[1], got)
		}
	}
	types, err := Types()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range types {
		if one.Kind == GPU && platformOf(one.GPUModel) == 0 {
			t.Errorf("nothing says what software for %s (%s) is built for", one.GPUModel, one.Name)
		}
	}
}
