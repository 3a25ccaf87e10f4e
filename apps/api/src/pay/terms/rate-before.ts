import type { PayPeriod } from '@tallyroom/domain/pay'
import type { Calendar } from './calendar.ts'
import type { ExchangeRate } from './settings.queries.ts'

/** The exchange rate of the last period before this one that has one, be it closed or open. */
export function rateBefore(
  { closed }: Pick<Calendar, 'closed'>,
  rates: ReadonlyMap<string, Pick<ExchangeRate, 'pesosE4'>>,
  { start: day }: Pick<PayPeriod, 'start'>,
  open: readonly Pick<PayPeriod, 'name' | 'start'>[],
): { period: string; pesosE4: number } | undefined {
  const known = [
    ...closed.map(({ name, start, pesosE4 }) => ({ period: name, start, pesosE4 })),
    ...open.map(({ name, start }) => ({
      period: name,
      start,
      pesosE4: rates.get(name)?.pesosE4 ?? null,
    })),
  ]
  const last = known.findLast(({ start, pesosE4 }) => start < day && pesosE4 !== null)
  return last?.pesosE4 ? { period: last.period, pesosE4: last.pesosE4 } : undefined
}
