import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyListProps {
  text?: string | undefined
  /** The button that adds the first one, for those who may. */
  children?: ReactNode
}

/** Stands in a list that nothing was ever added to. */
export const EmptyList = ({ text = 'No data yet', children }: EmptyListProps) => (
  <Stack align="center" gap="sm">
    {text}
    {children}
  </Stack>
)
