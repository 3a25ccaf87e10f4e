import { VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './SetupChecklist.module.css'

interface ChecklistStepProps {
  /** From 0. */
  index: number
  title: string
  why: string
  isDone: boolean
  isNext: boolean
  /** Below the words. */
  note?: ReactNode
  /** Leads to where it is done. */
  button?: ReactNode
}

/** A step of a checklist: its number, or a tick once it is done. */
export const ChecklistStep = ({
  index,
  title,
  why,
  isDone,
  isNext,
  note,
  button,
}: ChecklistStepProps) => (
  <li data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
    <span className={classes.mark} aria-hidden>
      {isDone ? <IconCheck size={14} stroke={2.5} /> : index + 1}
    </span>
    <span className={classes.words}>
      <strong>
        {title}
        {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
      </strong>
      <span>{why}</span>
      {note}
    </span>
    {!isDone && button}
  </li>
)
