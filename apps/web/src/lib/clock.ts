import { dayOf, type Day } from '@tallyroom/domain/new-york'
import { useSyncExternalStore } from 'react'

/** Milliseconds since 1970, renewed at each full second while anybody listens. */
let now = Date.now()
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const tick = () => {
  now = Date.now()
  // Aligned to the second, so that the clock neither skips nor doubles one.
  timer = setTimeout(tick, 1000 - (now % 1000))
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  if (listeners.size === 1) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

/** The instant now, in milliseconds; redraws its component every second. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now)

/** The day it is in New York, whatever the browser's zone is; redraws at New York midnight. */
export const useToday = (): Day => useSyncExternalStore(subscribe, () => dayOf(now))
