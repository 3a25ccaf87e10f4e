import { Stack } from '@mantine/core'
import type { BackdatingPreview } from '@tallyroom/contract/pay/backdating'
import { formatCount, signedDollars, signedPesos } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { WithDays } from '../../ui/text/WithDays.tsx'

/** What would change: sums first, then closed periods, offices and agents. */
export const Changes = ({ of }: { of: BackdatingPreview }) => (
  <Stack gap="xs">
    <strong>{sumsText(of)}</strong>
    {of.spans.map(
      ({ from, until }) =>
        until && (
          <span key={from}>
            A later change ends these rates on <WithDays>{dayOf(new Date(until))}</WithDays>.
          </span>
        ),
    )}
    {of.avpSales > 0 && (
      <span>
        {formatCount(of.avpSales)} of them {of.avpSales === 1 ? 'counts' : 'count'} for AVP. Where
        tiers pay, their pay does not change, unless they were settled before pay was switched on.
      </span>
    )}
    {of.periods.map((one) => (
      <span key={one.name}>
        {one.name ? `${one.name}, closed (paid by the next closing)` : 'Open periods'}:{' '}
        {sumsText(one)}
      </span>
    ))}
    {of.offices.slice(0, MOST_NAMED).map((one) => (
      <span key={`office ${one.companyId}`}>
        {one.officeName}: {sumsText(one)}
      </span>
    ))}
    {of.agents.slice(0, MOST_NAMED).map((one) => (
      <span key={`agent ${one.agentId}`}>
        {one.agent} ({one.officeName}): {sumsText(one)}
      </span>
    ))}
    {of.agentCount > MOST_NAMED && (
      <span>
        Of {formatCount(of.officeCount)} {of.officeCount === 1 ? 'office' : 'offices'} and{' '}
        {formatCount(of.agentCount)} agents, these have the largest differences.
      </span>
    )}
  </Stack>
)

/** `3 sales · payout +₱15.00`, and earnings for those who see them. */
export const sumsText = ({
  sales,
  payout,
  earning,
}: Pick<BackdatingPreview, 'sales' | 'payout' | 'earning'>) =>
  [
    `${formatCount(sales)} ${sales === 1 ? 'sale' : 'sales'}`,
    payout === 0 ? 'payout unchanged' : `payout ${plus(payout)}${signedPesos(payout)}`,
    earning !== undefined && earning !== 0 && `earning ${plus(earning)}${signedDollars(earning)}`,
  ]
    .filter(Boolean)
    .join(' · ')

/** How many the dialog names. The API sends up to 200. */
const MOST_NAMED = 5

/** Differences show their sign, plus or minus. */
const plus = (amount: number) => (amount > 0 ? '+' : '')
