// Copies the files of pinned packages to assets/dist, and the fonts of PDFs to paper/fonts. With --check it
// only compares and exits 1 when a committed file differs from its package.
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("./", import.meta.url));
const inter = "node_modules/@fontsource-variable/inter/";
const plex = "node_modules/@fontsource/ibm-plex-mono/";
const ttf = "node_modules/@expo-google-fonts/inter/"; // static instances: PDFs take no variable fonts
const files = {
  "inter-latin-wght-normal.woff2": inter + "files/inter-latin-wght-normal.woff2",
  "inter-latin-ext-wght-normal.woff2": inter + "files/inter-latin-ext-wght-normal.woff2",
  "ibm-plex-mono-latin-400-normal.woff2": plex + "files/ibm-plex-mono-latin-400-normal.woff2",
  "htmx.min.js": "node_modules/htmx.org/dist/htmx.min.js",
  "../../paper/fonts/Inter-Regular.ttf": ttf + "400Regular/Inter_400Regular.ttf",
  "../../paper/fonts/Inter-SemiBold.ttf": ttf + "600SemiBold/Inter_600SemiBold.ttf",
  "../../paper/fonts/LICENSE.txt": ttf + "LICENSE_FONT",
  "LICENSE-inter.txt": inter + "LICENSE",
  "LICENSE-ibm-plex-mono.txt": plex + "LICENSE",
  "LICENSE-htmx.txt": "node_modules/htmx.org/LICENSE",
};
const check = process.argv.includes("--check");
mkdirSync(root + "assets/dist", { recursive: true });
mkdirSync(root + "paper/fonts", { recursive: true });
let differs = 0;
for (const [name, source] of Object.entries(files)) {
  const want = readFileSync(root + source);
  const target = root + "assets/dist/" + name;
  if (!check) {
    writeFileSync(target, want);
  } else if (!readFileSync(target).equals(want)) {
    console.error(`assets/dist/${name} differs from ${source}: run npm run dist`);
    differs++;
  }
}
process.exit(differs ? 1 : 0);
