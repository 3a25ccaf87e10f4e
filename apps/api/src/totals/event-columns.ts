import type { CountedKind } from '@tallyroom/domain/event-types'
import type { Metric } from './levels.ts'

/** What an event has of its own that is summed by its kind. */
export const eventColumns = ['quantity', 'earning_cents', 'payout_centavos'] as const
type EventColumn = (typeof eventColumns)[number]

/** The figures in which an event of each kind counts. Its points count in `lpp`, whatever its kind. */
export const figuresOfKind = {
  sale: {
    quantity: 'sales',
    earning_cents: 'earning_cents',
    payout_centavos: 'payout_centavos',
  },
  bonus: {
    quantity: 'bonus_sales',
    earning_cents: 'bonus_earning_cents',
    payout_centavos: 'bonus_payout_centavos',
  },
} as const satisfies Record<CountedKind, Record<EventColumn, Metric>>

/** The figures of which an event's kind decides whether it counts there. */
export type SaleFigure = (typeof figuresOfKind)[CountedKind][EventColumn]
