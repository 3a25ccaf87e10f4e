/**
 * A value in the browser's storage that components can subscribe to. Changes made by other tabs
 * arrive too. Without storage (blocked, full) the value lives as long as the page.
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

  // A null key: the whole storage was cleared.
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
