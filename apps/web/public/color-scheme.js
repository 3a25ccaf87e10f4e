// Before the first paint, so that a dark page does not flash white. The key is the one in src/app/App.tsx.
try {
  var chosen = localStorage.getItem('tallyroom.color-scheme')
  // What the server wrote there is the brand's own: it counts until somebody chooses.
  var scheme = chosen || document.documentElement.dataset.colorScheme
  var dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch {
  // Storage is closed to us: the page starts light.
}

// Before zod's code, which reads it with the first schema: no parsers by `new Function`, which the policy forbids.
// oxlint-disable-next-line no-underscore-dangle -- the name is zod's
globalThis.__zod_globalConfig = { jitless: true }
