import { Stack } from '@mantine/core'
import type { BackdatingPreview } from '@tallyroom/contract/pay/backdating/backdating'
import { formatCount, signedDollars, signedPesos } from '@tallyroom/domain/money'
import { dayOf } from '@tallyroom/domain/new-york'
import { WithDays } from '../../ui/text/WithDays.tsx'

/** What would change: sums first, then closed periods, offices and agents. */
export const Changes = ({ of }: { of: BackdatingPreview }) => (
  <Stack gap="xs">
    <strong>{headText(of)}</strong>
    {of.spans.map(
      ({ from, until }) =>
        until && (
          <span key={from}>
            A later change ends these rates on <WithDays>{dayOf(new Date(until))}</WithDays>.
          </span>
        ),
    )}
    {of.periods.map((one) => (
      <span key={one.name}>
        {one.name ? `${one.name}, closed (paid by the next closing)` : 'Open periods'}:{' '}
        {paidText(one)}
      </span>
    ))}
    {of.offices.slice(0, MOST_NAMED).map((one) => (
      <span key={`office ${one.companyId}`}>
        {one.officeName}: {paidText(one)}
      </span>
    ))}
    {of.agents.slice(0, MOST_NAMED).map((one) => (
      <span key={`agent ${one.agentId}`}>
        {one.agent} ({one.officeName}): {paidText(one)}
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

type PaidSums = Pick<BackdatingPreview, 'sales' | 'byTier' | 'payout' | 'paid' | 'earning'>

/** `Nobody’s pay changes: all 60 are paid by tier. By rates +₱300.00`, or the sums as in `paidText`. */
export function headText(sums: PaidSums): string {
  const { sales, byTier, payout, earning } = sums
  if (byTier === 0 || byTier < sales || payout === 0) return paidText(sums)
  const all = sales === 1 ? 'the sale is' : `all ${formatCount(sales)} are`
  return [
    `Nobody’s pay changes: ${all} paid by tier. By rates ${changeText(payout)}`,
    earningText(earning),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** `9 sales · ₱0.00, paid by tier · by rates +₱45.00`; like `sumsText` where rates pay. */
export function paidText(sums: PaidSums): string {
  const { sales, byTier, payout, paid, earning } = sums
  if (byTier === 0 || payout === 0) return sumsText(sums)
  return [
    countText(sales),
    byTier === sales
      ? `${signedPesos(0)}, paid by tier`
      : `pay ${changeText(paid)}, as ${formatCount(byTier)} ${byTier === 1 ? 'is' : 'are'} paid by tier`,
    `by rates ${changeText(payout)}`,
    earningText(earning),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** `3 sales · payout +₱15.00`, and earnings for those who see them. */
export const sumsText = ({
  sales,
  payout,
  earning,
}: Pick<BackdatingPreview, 'sales' | 'payout' | 'earning'>) =>
  [
    countText(sales),
    payout === 0 ? 'payout unchanged' : `payout ${changeText(payout)}`,
    earningText(earning),
  ]
    .filter(Boolean)
    .join(' · ')

/** How many the dialog names. The API sends up to 200. */
const MOST_NAMED = 5

const countText = (sales: number) => `${formatCount(sales)} ${sales === 1 ? 'sale' : 'sales'}`

/** Differences show their sign, plus or minus. */
const changeText = (pesos: number) => `${plus(pesos)}${signedPesos(pesos)}`

const earningText = (earning: number | undefined) =>
  earning !== undefined && earning !== 0 && `earning ${plus(earning)}${signedDollars(earning)}`

const plus = (amount: number) => (amount > 0 ? '+' : '')
