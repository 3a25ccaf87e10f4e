import type { HomeSums, Need } from '@tallyroom/contract/desk/home'
import { fromMinorUnits } from '@tallyroom/domain/money'
import type { Day } from '@tallyroom/domain/new-york'
import type { Scope } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { VisibleAmounts } from '../../catalogue/index.ts'
import type { Sums } from './home.queries.ts'

/** What the sections of Home need to read their data. */
export type HomeReader = {
  tx: Tx
  viewer: Viewer
  scope: Scope
  today: Day
  now: Date
  visible: VisibleAmounts
  config: Pick<Services['config'], 'publicUrl'>
}

/** As in statistics, amounts that the viewer may not see are left out. */
export const presentSums = (sums: Sums, { payout, earning }: VisibleAmounts): HomeSums => ({
  sales: sums.sales,
  bonusSales: sums.bonus_sales,
  uniques: sums.uniques,
  ...(payout && {
    payout: fromMinorUnits(sums.payout_centavos),
    bonusPayout: fromMinorUnits(sums.bonus_payout_centavos),
  }),
  ...(earning && {
    earning: fromMinorUnits(sums.earning_cents),
    bonusEarning: fromMinorUnits(sums.bonus_earning_cents),
  }),
})

export const NOTHING: Sums = {
  sales: 0,
  bonus_sales: 0,
  uniques: 0,
  avp_sales: 0,
  payout_centavos: 0,
  bonus_payout_centavos: 0,
  earning_cents: 0,
  bonus_earning_cents: 0,
}

/** Something that waits for a person, or null if nothing does. */
export const needOf = ({ count, since }: { count: number; since: Date | null }): Need | null =>
  count > 0 && since ? { count, since: since.toISOString() } : null
