import { postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import type { HoldKind } from '@tallyroom/domain/holds'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const { searchPostbacks: search } = postbacksEndpoints

/** As many are read at once. Those behind them come up as the first are settled. */
const PAGE = 50

/** What is held, oldest first, of one kind or of all. Tests change nothing, so nobody waits for them. */
export const queueQuery = (holdKind: HoldKind | undefined) =>
  queryOf(
    search,
    {
      body: {
        outcome: 'conflict',
        holdKind,
        test: false,
        sortField: 'receivedAt',
        sortAsc: true,
        page: 1,
        pageSize: PAGE,
      },
    },
    { keepPrevious: true },
  )

export const refreshQueue = refreshOf(search)
