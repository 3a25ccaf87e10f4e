import { formatSignedPercent } from '@tallyroom/domain/money'
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import classes from './Progress.module.css'

interface ProgressProps {
  percent: number
  /** The period is not over, so it is compared with a longer one: no cause for alarm. */
  unfinished?: boolean
}

/**
 * Growth in percent: green above zero, otherwise red; grey while the period is unfinished. Sign and
 * arrow say the same without colour.
 */
export function Progress({ percent, unfinished = false }: ProgressProps) {
  const Arrow = percent > 0 ? IconArrowUpRight : percent < 0 ? IconArrowDownRight : IconMinus
  return (
    <span
      className={classes.progress}
      data-up={percent > 0 || undefined}
      data-unfinished={unfinished || undefined}
    >
      <Arrow size={14} stroke={2} aria-hidden />
      {formatSignedPercent(percent)}
    </span>
  )
}
