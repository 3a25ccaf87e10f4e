import { useEffect, useSyncExternalStore } from 'react'

/** The name of the record that the open page shows, with its calls to redraw the frame. */
let shown: string | undefined
const listeners = new Set<() => void>()

/**
 * Puts the name of a page's record into the window title, before the page's own: 'maria · Agent · Tallyroom'.
 * @param name undefined while it loads
 */
export function usePageName(name: string | undefined): void {
  useEffect(() => {
    show(name)
    return () => show(undefined)
  }, [name])
}

export const useShownPageName = (): string | undefined =>
  useSyncExternalStore(subscribe, () => shown)

function show(name: string | undefined): void {
  shown = name
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
