import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { isApiError, isWorthRetrying } from '../../lib/api-error.ts'
import { BackButton, type WayBack } from '../links.tsx'

interface FormLoaderProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
  /** The number of skeleton fields while loading. */
  fields?: number
  /** Where to go if the record does not exist. */
  back?: WayBack
}

/** Loads a form's data. Shows a skeleton meanwhile, and the reason if it fails. */
export function FormLoader<Data>({ query, children, fields = 6, back }: FormLoaderProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <LoadFailure error={query.error} retry={query.refetch} back={back} />
  return (
    <Stack gap="md" maw={440} aria-busy aria-label="Loading">
      {Array.from({ length: fields }, (_, field) => (
        <Skeleton key={field} height={44} />
      ))}
    </Stack>
  )
}

interface LoadFailureProps {
  error: Error
  retry: () => unknown
  back: WayBack | undefined
}

function LoadFailure({ error, retry, back }: LoadFailureProps) {
  // The id in the URL is malformed.
  const isNoPage = isApiError(error, 'VALIDATION_ERROR')
  const isPointless = isNoPage || !isWorthRetrying(error)
  return (
    <Alert color="red" role="alert" maw={440}>
      <div style={{ overflowWrap: 'anywhere' }}>
        {isNoPage ? 'This page does not exist.' : error.message}
      </div>
      <Stack mt="xs" align="flex-start">
        {isPointless && back && <BackButton {...back} />}
        {!isPointless && (
          <Button variant="default" size="xs" onClick={() => void retry()}>
            Retry
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
