import { formatDateTime } from '@tallyroom/domain/new-york'
import type { SyntheticEvent } from 'react'
import { ownTimeText } from '../../lib/instant-text.ts'
import classes from './Instant.module.css'

/**
 * A point in time as the specification shows it, `2026-11-21 (20:10)` in New York. Its tooltip has the reader's own
 * time and how long ago that was. A bare element, because lists have hundreds: the tooltip's text is written when the
 * pointer arrives, so it is never out of date.
 *
 * @param at ISO 8601.
 */
export const Instant = ({ at }: { at: string }) => (
  <time className={classes.instant} dateTime={at} onPointerEnter={writeTitle}>
    {formatDateTime(new Date(at))}
  </time>
)

const writeTitle = ({ currentTarget }: SyntheticEvent<HTMLTimeElement>) => {
  currentTarget.title = ownTimeText(Date.parse(currentTarget.dateTime), Date.now())
}
