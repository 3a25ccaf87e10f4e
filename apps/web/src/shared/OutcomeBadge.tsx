import type { PostbackOutcome } from '@tallyroom/contract/list-choices'
import classes from './OutcomeBadge.module.css'
import { outcomeLooks } from './outcome-looks.ts'
import { Tooltip } from '../ui/Tooltip.tsx'

/** An outcome by word, icon and colour. The tooltip explains it. */
export function OutcomeBadge({ outcome }: { outcome: PostbackOutcome }) {
  const { label, meaning, icon: Icon, tone } = outcomeLooks[outcome]
  return (
    <Tooltip label={meaning} multiline maw={280} withArrow>
      <span className={classes.badge} data-tone={tone}>
        <Icon size={14} stroke={2} aria-hidden />
        {label}
      </span>
    </Tooltip>
  )
}
