import {
  createElement,
  useEffect,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react'

/** Code that no page needs to be painted: it comes once the first page stands, or when it is asked for. */
export interface Later<T> {
  /** Undefined until it is there. */
  now: () => T | undefined
  /** Rejects when it can't be fetched; asking again tries again. */
  load: () => Promise<T>
}

const parts = new Set<Later<unknown>>()
const listeners = new Set<() => void>()
let isPagePainted = false

export function later<T extends object>(fetchPart: () => Promise<T>): Later<T> {
  let value: T | undefined
  let loading: Promise<T> | undefined
  const load = () =>
    (loading ??= fetchPart().then(
      (part) => {
        value = part
        listeners.forEach((listener) => listener())
        return part
      },
      (error: unknown) => {
        loading = undefined
        throw error
      },
    ))
  const part = { now: () => value, load }
  parts.add(part)
  if (isPagePainted) fetchAhead(part)
  return part
}

/** Fetches all of it, what pages to come will bring included. Call it when the first page is painted. */
export function loadLater(): void {
  isPagePainted = true
  parts.forEach(fetchAhead)
}

/** For what may stay away: that it can't be fetched is no failure. */
export const fetchAhead = (part: Later<unknown>) => void part.load().catch(() => {})

/** The part as soon as it is there. @throws in the drawing, when it was asked for and can't be fetched. */
export function useLater<T>(part: Later<T>, isAsked: boolean): T | undefined {
  const [failure, setFailure] = useState<{ error: unknown }>()
  const value = useSyncExternalStore(subscribe, part.now)
  useEffect(() => {
    if (isAsked) part.load().catch((error: unknown) => setFailure({ error }))
  }, [part, isAsked])
  if (failure) throw failure.error
  return value
}

/** A component whose code comes later: nothing until it is there, then drawn at once, which `lazy` can't promise. */
export function laterComponent<Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactNode {
  const part = later(fetchComponent)
  return function Later(props) {
    const component = useLater(part, true)
    return component && createElement(component, props)
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
