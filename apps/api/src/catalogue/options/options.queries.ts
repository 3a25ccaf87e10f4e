import { OPTION_NAMES, type Option } from '@tallyroom/contract/catalogue/options'
import { can } from '@tallyroom/domain/abilities'
import { sql } from 'kysely'
import type { Viewer } from '../../access/viewer.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'

export async function findOptions(db: DbOrTx): Promise<Option[]> {
  const rows = await db.selectFrom('options').select(['name', 'value']).execute()
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  return OPTION_NAMES.map((name) => ({ name, value: values.get(name) === '1' ? 1 : 0 }))
}

/** Whether offices and agents see payouts. */
export const arePayoutsShown = async (db: DbOrTx): Promise<boolean> =>
  (await findOptions(db)).some(({ name, value }) => name === 'payout_visible' && value === 1)

export async function upsertOptions(tx: Tx, options: readonly Option[], at: Date): Promise<void> {
  const sorted = options.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const names = sorted.map(({ name }) => name)
  const values = sorted.map(({ value }) => String(value))
  await sql`
    insert into options as present (name, value, changed_at)
    select name, value, ${at}
    from unnest(${names}::text[], ${values}::text[]) as given (name, value)
    on conflict (name) do update
    set value = excluded.value, changed_at = excluded.changed_at
    where present.value <> excluded.value
  `.execute(tx)
}

/** The amounts that a viewer may see. Others are omitted from the answer, not zeroed. */
export type VisibleAmounts = { earning: boolean; payout: boolean; lpp: boolean }

/** Which amounts a viewer may see, by role and system options (specification 2, section 2). */
export async function findVisibleAmounts(db: DbOrTx, viewer: Viewer): Promise<VisibleAmounts> {
  const options = await findOptions(db)
  const isOn = (wanted: Option['name']) =>
    options.some(({ name, value }) => name === wanted && value === 1)
  return {
    earning: can(viewer, 'earning.see'),
    payout: can(viewer, 'payout.see') || isOn('payout_visible'),
    lpp: isOn('lpp_visible'),
  }
}
