import { Children, type ReactNode } from 'react'
import classes from './Instant.module.css'

/** Text in which days such as `2026-09-14` do not break at their hyphens. */
export const WithDays = ({ children }: { children: ReactNode }) =>
  Children.map(children, (child) =>
    typeof child === 'string'
      ? child.split(DAYS).map((part, place) =>
          place % 2 === 1 ? (
            // oxlint-disable-next-line react/no-array-index-key -- a day may be named twice
            <span key={place} className={classes.instant}>
              {part}
            </span>
          ) : (
            part
          ),
        )
      : child,
  )

const DAYS = /(\d{4}-\d\d-\d\d)/
