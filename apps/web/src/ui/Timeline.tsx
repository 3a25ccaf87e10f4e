import {
  IconCheck,
  IconClock,
  IconMinus,
  IconQuestionMark,
  IconX,
  type Icon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Instant } from './text/Instant.tsx'
import classes from './Timeline.module.css'

export interface TimelineItem {
  /** ISO 8601. Missing if the time is unknown or nothing happened. */
  at?: string | undefined
  title: ReactNode
  body?: ReactNode
  tone: Tone
}

/**
 * `done` happened; `waiting` is expected; `missing` is a gap in the records; `ignored` happened and changed nothing;
 * `refused` happened and needs attention.
 */
type Tone = 'done' | 'waiting' | 'missing' | 'ignored' | 'refused'

const bullets: Record<Tone, { icon: Icon; means: string }> = {
  done: { icon: IconCheck, means: 'Done' },
  waiting: { icon: IconClock, means: 'Waiting' },
  missing: { icon: IconQuestionMark, means: 'Missing' },
  ignored: { icon: IconMinus, means: 'Changed nothing' },
  refused: { icon: IconX, means: 'Not counted' },
}

/** What happened to one thing, oldest first. The line to a gap is dotted. */
export const Timeline = ({ label, items }: { label: string; items: readonly TimelineItem[] }) => (
  <ol aria-label={label} className={classes.timeline}>
    {items.map(({ at, title, body, tone }, index) => {
      const { icon: Bullet, means } = bullets[tone]
      return (
        // oxlint-disable-next-line react/no-array-index-key -- stateless items whose place is their only identity
        <li key={index} className={classes.item} data-tone={tone}>
          <span className={classes.bullet} role="img" aria-label={means}>
            <Bullet size={12} stroke={2.5} aria-hidden />
          </span>
          <div className={classes.head}>
            <span className={classes.title}>{title}</span>
            {at && (
              <span className={classes.at}>
                <Instant at={at} />
              </span>
            )}
          </div>
          {body && <div className={classes.body}>{body}</div>}
        </li>
      )
    })}
  </ol>
)
