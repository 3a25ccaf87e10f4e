/**
 * A value in the browser's storage that components can subscribe to, including changes by other tabs. If storage is
 * blocked or full, the value lives until the page closes.
 */
export function storedValue<T>(key: string, parse: (text: string) => T | null) {
  let value = read()
  const listeners = new Set<() => void>()
  const announce = () => listeners.forEach((listener) => listener())

  function read(): T | null {
    try {
      const text = localStorage.getItem(key)
      return text === null ? null : parse(text)
    } catch {
      return null
    }
  }

  // A null key means that the whole storage was cleared.
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return
    value = read()
    announce()
  })

  return {
    get: () => value,
    set(next: T | null) {
      value = next
      try {
        if (next === null) localStorage.removeItem(key)
        else localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Kept in memory only.
      }
      announce()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
