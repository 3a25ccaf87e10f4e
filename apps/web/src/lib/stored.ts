/**
 * A value in the browser's storage that components can subscribe to, including changes by other tabs. If storage is
 * blocked or full, the value lives until the page closes.
 */
export function storedValue<T>(key: string, parse: (text: string) => T | null) {
  /** The text that this tab knows. Another tab's change is stored before this one is notified. */
  let heard: string | null = null
  let value = read()
  const listeners = new Set<() => void>()
  const announce = () => listeners.forEach((listener) => listener())

  function storedText(): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }

  function read(): T | null {
    try {
      heard = storedText()
      return heard === null ? null : parse(heard)
    } catch {
      return null
    }
  }

  function set(next: T | null) {
    value = next
    try {
      if (next === null) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Kept in memory only.
    }
    heard = storedText()
    announce()
  }

  // A null key means that the whole storage was cleared.
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    value = read()
    announce()
  })

  return {
    get: () => value,
    set,
    /** Sets it unless another tab has changed it meanwhile. */
    renew(next: T) {
      if (storedText() === heard) set(next)
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
