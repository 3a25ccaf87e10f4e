import { decisionsEndpoints } from '@tallyroom/contract/tracking/decisions'
import { type PostbackItem, postbacksEndpoints } from '@tallyroom/contract/tracking/postbacks'
import type { InputOf } from '@tallyroom/contract/endpoint'
import type { HoldKind } from '@tallyroom/domain/holds'
import { call } from '../../lib/call.ts'
import { queryOf, refreshOf } from '../../lib/queries.ts'

const { searchPostbacks: search } = postbacksEndpoints
const { deciders, followUpHeldPostback, undoDecision: undo } = decisionsEndpoints

/** As many are read at once. Those behind them come up as the first are settled. */
const PAGE = 50

/** Held ones, oldest first. Tests change nothing, so nobody waits for them. */
const heldQuery = (which: Pick<InputOf<typeof search>['body'], 'holdKind' | 'due' | 'decided'>) =>
  queryOf(
    search,
    {
      body: {
        outcome: 'conflict',
        ...which,
        test: false,
        sortField: 'receivedAt',
        sortAsc: true,
        page: 1,
        pageSize: PAGE,
      },
    },
    { keepPrevious: true },
  )

/** What waits for a decision now, of one kind or of all. */
export const queueQuery = (holdKind: HoldKind | undefined) => heldQuery({ holdKind, due: true })

/** What was put off, of one kind or of all. */
export const putOffQuery = (holdKind: HoldKind | undefined) =>
  heldQuery({ holdKind, due: false, decided: false })

/** What was decided and is not done yet, of all kinds. */
export const decidedQuery = heldQuery({ decided: true })

/** As long as something is decided and not done yet, it is looked at again. */
export const whileDecided = (items: readonly PostbackItem[] | undefined): number | false =>
  items?.some(({ hold }) => hold?.decided) ? LOOK_AGAIN_MS : false

const LOOK_AGAIN_MS = 5_000

export const decidersQuery = queryOf(deciders, {}, { staleTime: 60_000 })

export const undoDecision = (id: string) => call(undo, { params: { id } })

/** Puts a question off, or says who is to decide. */
export const followUp = (id: string, body: InputOf<typeof followUpHeldPostback>['body']) =>
  call(followUpHeldPostback, { params: { id }, body })

export const refreshQueue = refreshOf(search)
