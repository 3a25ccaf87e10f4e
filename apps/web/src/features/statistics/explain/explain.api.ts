import { explainEndpoints, type ExplainRequest } from '@tallyroom/contract/stats-explain'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'

/** What an amount is made of. While the next parts load, the ones before stay. */
export const explanationQuery = (request: ExplainRequest | undefined) =>
  queryOptions({
    queryKey: [explainEndpoints.explain.path, request] as const,
    queryFn: request
      ? ({ signal }) => call(explainEndpoints.explain, { body: request }, { signal })
      : skipToken,
    placeholderData: keepPreviousData,
  })
