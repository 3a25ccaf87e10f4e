import { formatSignedPercent } from '@tallyroom/domain/money'
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import classes from './Progress.module.css'

/** Growth in percent: green above zero, otherwise red. Sign and arrow say the same without colour. */
export function Progress({ percent }: { percent: number }) {
  const Arrow = percent > 0 ? IconArrowUpRight : percent < 0 ? IconArrowDownRight : IconMinus
  return (
    <span className={classes.progress} data-up={percent > 0 || undefined}>
      <Arrow size={14} stroke={2} aria-hidden />
      {formatSignedPercent(percent)}
    </span>
  )
}
