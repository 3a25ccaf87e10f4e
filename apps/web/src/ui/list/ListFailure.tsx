import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

export interface ListFailureProps {
  message: string
  onRetry: () => void
  /** Replaces Retry where trying again can't help. */
  back?: ReactNode
}

/** Stands in for the rows that could not be loaded. */
export const ListFailure = ({ message, onRetry, back }: ListFailureProps) => (
  <>
    <div role="alert">{message}</div>
    <div style={{ marginTop: 12 }}>
      {back ?? (
        <Button variant="default" size="xs" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  </>
)
