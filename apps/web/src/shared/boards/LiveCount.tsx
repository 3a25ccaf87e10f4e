import { formatCount } from '@tallyroom/domain/money'
import { useState } from 'react'
import classes from './Board.module.css'

/** A figure that lights up briefly when it changes. */
export function LiveCount({ value }: { value: number }) {
  const [first] = useState(value)
  return (
    // Keyed by value: a new element restarts the animation.
    <span key={value} className={value === first ? undefined : classes.changed}>
      {formatCount(value)}
    </span>
  )
}
