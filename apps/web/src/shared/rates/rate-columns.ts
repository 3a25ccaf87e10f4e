import type { FeeRates } from '@tallyroom/contract/catalogue/office-fees'
import type { RateUnit } from './rate-text.ts'

export interface RateColumn {
  field: keyof FeeRates
  header: string
  unit: RateUnit
  bonus: boolean
}

/** In the order of the specification. On an approve-sale site, the bonus is Day#2. */
export function rateColumns({
  useApproveSale,
  hasBonus,
}: {
  useApproveSale: boolean
  hasBonus: boolean
}): RateColumn[] {
  const sale = useApproveSale ? 'Day#1 ' : ''
  const bonus = useApproveSale ? 'Day#2 ' : 'Bonus '
  const columns: RateColumn[] = [
    { field: 'earning', header: `${sale}Earning`, unit: 'dollars', bonus: false },
    { field: 'payout', header: `${sale}Payout`, unit: 'pesos', bonus: false },
    { field: 'lpp', header: `${sale}LPP`, unit: 'points', bonus: false },
    { field: 'bonusPayout', header: `${bonus}Payout`, unit: 'pesos', bonus: true },
    { field: 'bonusEarning', header: `${bonus}Earning`, unit: 'dollars', bonus: true },
    { field: 'bonusLpp', header: `${bonus}LPP`, unit: 'points', bonus: true },
  ]
  return columns.filter((column) => hasBonus || !column.bonus)
}
