const SCHEME = 'data-mantine-color-scheme'

/** Prints in light colors. Browsers omit dark backgrounds, which would leave light text on white paper. */
export function printInLight() {
  const root = document.documentElement
  let scheme: string | null = null
  window.addEventListener('beforeprint', () => {
    scheme = root.getAttribute(SCHEME)
    root.setAttribute(SCHEME, 'light')
  })
  window.addEventListener('afterprint', () => {
    if (scheme !== null) root.setAttribute(SCHEME, scheme)
    scheme = null
  })
}
