import { type ComponentType, lazy } from 'react'

/** A component that is loaded when it is first drawn. If its file can't be fetched, the page goes on with `other`, or without it. */
export const lazyOr = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  other: ComponentType<Props> = () => null,
) => lazy(() => load().catch(() => ({ default: other })))
