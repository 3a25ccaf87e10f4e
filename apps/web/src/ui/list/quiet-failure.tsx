import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { isApiError } from '../../lib/api-error.ts'

interface Failing {
  error: Error | null
  refetch: () => unknown
}

/**
 * For lists whose failures are only logged: a failed search goes on looking as if it loaded (specification 1,
 * section 4). A refusal of what was typed is told all the same.
 */
export const quietly = <Query extends Failing>(query: Query): Query => ({
  ...query,
  error: isRefusal(query.error) ? query.error : null,
})

/** Stands above such a list while it could not be read. */
export const QuietRetry = ({ query }: { query: Failing }) =>
  query.error && !isRefusal(query.error) ? (
    <Button
      variant="default"
      leftSection={<IconRefresh size={14} />}
      onClick={() => void query.refetch()}
    >
      Retry
    </Button>
  ) : null

const isRefusal = (error: Error | null) => isApiError(error, 'VALIDATION_ERROR')
