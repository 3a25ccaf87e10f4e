import { dayOf, formatDateTime } from '@tallyroom/domain/new-york'
import { type SyntheticEvent, useSyncExternalStore } from 'react'
import { nowMs, onSecond } from '../../lib/clock.ts'
import { ownTimeText, recentText } from '../../lib/instant-text.ts'
import classes from './Instant.module.css'

interface InstantProps {
  /** ISO 8601. */
  at: string
}

/**
 * A point in time as the specification shows it, `2026-11-21 (20:10)` in New York. Its tooltip has the reader's own
 * time and how long ago that was. A bare element, because lists have hundreds: the tooltip's text is written when the
 * pointer arrives, so it is never out of date.
 */
export const Instant = ({ at }: InstantProps) => (
  <time className={classes.instant} dateTime={at} onPointerEnter={writeTitle}>
    {formatDateTime(new Date(at))}
  </time>
)

/** Its New York day alone, where the minute matters less than the width. The tooltip begins with the whole of it. */
export const InstantDay = ({ at }: InstantProps) => (
  <time className={classes.instant} dateTime={at} onPointerEnter={writeWholeTitle}>
    {dayOf(new Date(at))}
  </time>
)

/** `5 h ago`, or the New York day of what is a week old. The tooltip begins with the whole of it. */
export function RecentInstant({ at }: InstantProps) {
  const text = useSyncExternalStore(onSecond, () => recentText(Date.parse(at), nowMs()))
  return (
    <time className={classes.instant} dateTime={at} onPointerEnter={writeWholeTitle}>
      {text}
    </time>
  )
}

const writeTitle = ({ currentTarget }: SyntheticEvent<HTMLTimeElement>) => {
  currentTarget.title = ownTimeText(Date.parse(currentTarget.dateTime), Date.now())
}

const writeWholeTitle = ({ currentTarget }: SyntheticEvent<HTMLTimeElement>) => {
  const ms = Date.parse(currentTarget.dateTime)
  currentTarget.title = `${formatDateTime(ms)} New York\n${ownTimeText(ms, Date.now())}`
}
