import { can } from '@tallyroom/domain/abilities'
import type { Viewer } from '../access/viewer.ts'
import type { DbOrTx } from '../db/database.ts'

/** Which amounts a viewer gets. The others are left out of the answer, not zeroed. */
export type Visibility = { earning: boolean; payout: boolean; lpp: boolean }

/** Which amounts a viewer sees, by role and system options (specification 2, section 2). */
export async function visibilityFor(tx: DbOrTx, viewer: Viewer): Promise<Visibility> {
  const options = await tx
    .selectFrom('options')
    .select(['name', 'value'])
    .where('name', 'in', ['payout_visible', 'lpp_visible'])
    .execute()
  const isOn = (name: string) =>
    options.some((option) => option.name === name && option.value === '1')
  return {
    earning: can(viewer, 'earning.see'),
    payout: can(viewer, 'payout.see') || isOn('payout_visible'),
    lpp: isOn('lpp_visible'),
  }
}
