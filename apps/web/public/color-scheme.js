// Before the first paint, so that a dark page does not flash white. The key is the one in src/app/color-scheme.ts.
try {
  var chosen = localStorage.getItem('tallyroom.color-scheme')
  var dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
} catch {
  // Storage is closed to us: the page starts light.
}
