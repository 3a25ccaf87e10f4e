const SCHEME = 'data-mantine-color-scheme'

/** Paper is white: printers leave dark grounds out, and light letters would be gone with them. */
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
