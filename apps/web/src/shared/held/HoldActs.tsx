import { Button } from '@mantine/core'
import type { HoldAct } from '@tallyroom/domain/holds'
import classes from './held.module.css'
import { actWords } from './hold-words.ts'

interface HoldActsProps {
  acts: readonly HoldAct[]
  onAct: (act: HoldAct) => void
  size?: 'compact-xs' | 'compact-sm'
}

/** What can be done about held postbacks, the likeliest first. */
export const HoldActs = ({ acts, onAct, size = 'compact-xs' }: HoldActsProps) => (
  <span className={classes.acts}>
    {acts.map((act, index) => (
      <Button
        key={act}
        variant={index === 0 ? 'light' : 'default'}
        size={size}
        onClick={() => onAct(act)}
      >
        {actWords[act].label}
      </Button>
    ))}
  </span>
)
