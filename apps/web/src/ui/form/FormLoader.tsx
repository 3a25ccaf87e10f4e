import { Alert, Button, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { isApiError } from '../../lib/api-error.ts'

interface FormLoaderProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
  /** Skeleton fields before the data is there. */
  fields?: number
}

/** What a form needs before it can be drawn: bars until it is there, or why it is not. */
export function FormLoader<Data>({ query, children, fields = 6 }: FormLoaderProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return (
      <Alert color="red" variant="light" role="alert" maw={440}>
        {/* An address with an id that is none. */}
        {isApiError(query.error, 'VALIDATION_ERROR')
          ? 'There is no such page.'
          : query.error.message}
        <div>
          <Button variant="default" size="xs" mt="xs" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </div>
      </Alert>
    )
  return (
    <Stack gap="md" maw={440} aria-busy aria-label="Loading">
      {Array.from({ length: fields }, (_, field) => (
        <Skeleton key={field} height={44} />
      ))}
    </Stack>
  )
}
