import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyListProps {
  text?: string | undefined
  /** A button that adds the first row, for viewers who may. */
  children?: ReactNode
}

/** Shown in a list without any rows. */
export const EmptyList = ({ text = 'No data yet', children }: EmptyListProps) => (
  <Stack align="center" gap="sm">
    {text}
    {children}
  </Stack>
)
