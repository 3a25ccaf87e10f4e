import { formatCount } from '@tallyroom/domain/money'
import { useState } from 'react'
import classes from './Board.module.css'

/** A figure that lights up for a moment when it changes under its reader's eyes. */
export function LiveCount({ value }: { value: number }) {
  const [first] = useState(value)
  return (
    // Another element for each value: that starts the animation anew.
    <span key={value} className={value === first ? undefined : classes.changed}>
      {formatCount(value)}
    </span>
  )
}
