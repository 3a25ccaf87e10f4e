import { explainEndpoints, type ExplainRequest } from '@tallyroom/contract/figures/explain'
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** The explanation of an amount. The current parts stay while the next ones load. */
export const explanationQuery = (request: ExplainRequest | undefined) =>
  queryOptions({
    queryKey: [explainEndpoints.explain.path, request] as const,
    queryFn: request
      ? ({ signal }) => call(explainEndpoints.explain, { body: request }, { signal })
      : skipToken,
    placeholderData: keepPreviousData,
  })
