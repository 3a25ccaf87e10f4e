import type { Period } from '@tallyroom/domain/periods'
import { useId, type ReactNode } from 'react'
import { WithDays } from '../../ui/text/WithDays.tsx'
import classes from './HomePage.module.css'

interface BoardCardProps {
  /** By which a link leads to it. */
  id?: string
  title: string
  /** The days it covers; undefined while loading. */
  period?: Pick<Period, 'start' | 'end'> | undefined
  /** Shown beside the title if there is no period. */
  note?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

export function BoardCard({ id, title, period, note, footer, children }: BoardCardProps) {
  const headingId = useId()
  return (
    <section id={id} className={classes.card} aria-labelledby={headingId}>
      <header className={classes.cardHead}>
        <h2 id={headingId}>{title}</h2>
        <span>
          <WithDays>{period ? `${period.start} – ${period.end}` : (note ?? '\u00a0')}</WithDays>
        </span>
      </header>
      <div className={classes.cardBody}>{children}</div>
      {footer && <footer className={classes.cardFoot}>{footer}</footer>}
    </section>
  )
}
