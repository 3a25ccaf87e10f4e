import { earnedEndpoints } from '@tallyroom/contract/pay/closing/earned'
import type { StatsCriteria } from '@tallyroom/contract/figures/stats-table'
import { can } from '@tallyroom/domain/abilities'
import { type DateRange, daysInWords, rangeInWords } from '@tallyroom/domain/periods'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../lib/queries.ts'
import { useMe } from '../../lib/session.ts'
import { earnedParts, earnedText, partText, waitsForRate } from '../../shared/earned.tsx'
import { LinkText } from '../../ui/links.tsx'
import type { StatsReport } from './stats-search.ts'

interface EarnedStripProps {
  report: StatsReport
  range: DateRange
  criteria: StatsCriteria
}

/**
 * What the pay periods of the shown days pay by their rule: the sum of their statements. Beside it, the report's columns
 * say what rates or tiers alone come to.
 */
export default function EarnedStrip({
  report: { isWeekly },
  range: { start, end },
  criteria: { companyId, agentId, siteId, sub },
}: EarnedStripProps) {
  const me = useMe()
  const { data } = useQuery({
    ...queryOf(
      earnedEndpoints.earned,
      { body: { start, end, isWeekly, companyId, agentId } },
      { keepPrevious: true, staleTime: 10_000, meta: { ownErrors: true } },
    ),
    // Hidden payouts are no failure.
    retry: false,
  })
  const [first] = data?.periods ?? []
  const last = data?.periods.at(-1)
  if (!data || !first || !last) return null
  const days = { start: first.start, end: last.end }
  const name = first === last ? first.name : `${first.name} to ${last.name}`
  const isOpen = data.periods.some(({ isClosed }) => !isClosed)
  return (
    <>
      <span>
        To pay by {first === last ? 'this period’s rule' : 'these periods’ rules'},{' '}
        {can(me, 'pay.manage') && first === last ? (
          <LinkText to="/app/pay/periods/$name" params={{ name }} underlined>
            {name}
          </LinkText>
        ) : (
          name
        )}{' '}
        ({days.start.slice(0, 4) === days.end.slice(0, 4) ? daysInWords(days) : rangeInWords(days)}
        {isOpen && ', so far'}
        {siteId !== undefined && ', all sites'}
        {sub !== undefined && ', all sub ids'}):
      </span>
      <strong>{earnedText(data.sums)}</strong>
      <span>
        {'= '}
        {earnedParts(data.sums).map(partText).join(' + ')}
      </span>
      {waitsForRate(data.sums) && <span>Some of it is converted when the period is closed.</span>}
    </>
  )
}
