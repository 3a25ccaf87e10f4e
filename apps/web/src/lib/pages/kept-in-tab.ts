/** A text that this tab keeps while its user is elsewhere, until it closes. Where storage is blocked, until the page closes. */
export function keptInTab(key: string) {
  let held = ''
  return {
    /** Empty if nothing is kept. */
    read(): string {
      try {
        return sessionStorage.getItem(key) ?? ''
      } catch {
        return held
      }
    },
    /** An empty one drops what was kept. */
    keep(text: string): void {
      held = text
      try {
        if (text === '') sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, text)
      } catch {
        // Storage is blocked.
      }
    },
  }
}
