import type { SaleEvent } from './price-event.ts'

/** A sale with everything that took it back and counted it again. */
export type Chain = {
  sale: SaleEvent
  /** The event by which it was counted last: the sale itself, or one that restored it. */
  counted: SaleEvent
  /** Its reversal; undefined while the sale counts. */
  reversal: SaleEvent | undefined
  eventIds: ReadonlySet<string>
}

/** The chains of a click's events, in the order of their sales. */
export function chainsOf(events: readonly SaleEvent[]): Chain[] {
  const reversals = new Map(
    events.flatMap((event) => (event.reverses ? [[event.reverses, event]] : [])),
  )
  const restorations = new Map(
    events.flatMap((event) => (event.restores ? [[event.restores, event]] : [])),
  )
  return events
    .filter(({ quantity, restores }) => quantity === 1 && restores === null)
    .map((sale) => {
      const eventIds = new Set([sale.id])
      let counted = sale
      for (;;) {
        const reversal = reversals.get(counted.id)
        if (reversal) eventIds.add(reversal.id)
        const restored = reversal && restorations.get(reversal.id)
        if (!restored) return { sale, counted, reversal, eventIds }
        eventIds.add(restored.id)
        counted = restored
      }
    })
}

export const counts = ({ reversal }: Chain): boolean => reversal === undefined

export const wasRestored = ({ sale, counted }: Chain): boolean => sale !== counted
