import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { isWorthRetrying } from '../../lib/api-error.ts'
import { failureText } from '../../lib/forms/form-errors.ts'

export interface ListFailureProps {
  error: Error | null
  refetch: () => unknown
  /** Replaces Retry where trying again can't help. */
  back?: ReactNode
}

/** Stands in for the rows that could not be loaded. */
export const ListFailure = ({ error, refetch, back }: ListFailureProps) => (
  <>
    <div role="alert">{error && failureText(error)}</div>
    {(back ?? isWorthRetrying(error)) && (
      <div style={{ marginTop: 12 }}>
        {back ?? (
          <Button variant="default" size="xs" onClick={() => void refetch()}>
            Retry
          </Button>
        )}
      </div>
    )}
  </>
)
