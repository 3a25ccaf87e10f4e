import { dayOf, type Day } from '@tallyroom/domain/new-york'
import { dayIn } from '@tallyroom/domain/time-zones'
import { useSyncExternalStore } from 'react'

/** Milliseconds since 1970, updated at each full second while there are listeners. */
let now = Date.now()
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const tick = () => {
  now = Date.now()
  // Aligned to full seconds, so that the clock neither skips nor repeats one.
  timer = setTimeout(tick, 1000 - (now % 1000))
  listeners.forEach((listener) => listener())
}

/** Calls back at each full second. Returns what ends that. */
export const onSecond = (listener: () => void) => {
  listeners.add(listener)
  if (listeners.size === 1) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

/** Milliseconds since 1970, at the last full second while anybody listens. */
export const nowMs = (): number => now

/** The current time in milliseconds. Rerenders its component every second. */
export const useNow = (): number => useSyncExternalStore(onSecond, nowMs)

/** The current day in New York, whatever the browser's time zone. Rerenders at New York midnight. */
export const useToday = (): Day => useSyncExternalStore(onSecond, () => dayOf(now))

/** The current day in a time zone. */
export const useDayIn = (timeZone: string): Day =>
  useSyncExternalStore(onSecond, () => dayIn(timeZone, now))
