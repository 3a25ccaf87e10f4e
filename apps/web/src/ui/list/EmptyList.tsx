import { Button, Stack } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import classes from './EmptyList.module.css'

interface EmptyListProps {
  text?: string | undefined
  /** What the list is for, in one sentence. */
  about: ReactNode
  /** Clears the filters. Given only if some are set, because they are then the reason. */
  onClear?: (() => void) | undefined
  /** A button that adds the first row, for viewers who may. */
  children?: ReactNode
  /** Where else there is something. Shown with filters. */
  elsewhere?: ReactNode
}

/** Shown in a list without any rows. */
export const EmptyList = ({
  text = 'No data yet',
  about,
  onClear,
  children,
  elsewhere,
}: EmptyListProps) => (
  <Stack align="center" gap="sm">
    <div>
      {text}
      <div className={classes.about}>{onClear ? 'Nothing matches the filters.' : about}</div>
    </div>
    {onClear && elsewhere && <Suspense>{elsewhere}</Suspense>}
    {onClear ? (
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    ) : (
      children
    )}
  </Stack>
)
