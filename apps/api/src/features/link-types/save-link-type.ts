import type { LinkType, linkTypesEndpoints } from '@tallyroom/contract/link-types'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { fromMinorUnits, minorUnitsOf } from '@tallyroom/domain/money'
import { announceChange } from '../../db/changes.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { LinkTypes } from '../../db/types.ts'
import { notFound } from '../../errors.ts'
import { refuseStale, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { lockSite } from '../sites/index.ts'
import {
  findType,
  insertType,
  type LinkTypeRow,
  lockType,
  updateTypeRow,
} from './link-types.queries.ts'

type NewLinkType = RequestOf<typeof linkTypesEndpoints.createLinkType>['body']
type LinkTypeChange = RequestOf<typeof linkTypesEndpoints.updateLinkType>['body']

/** Creates a link type. @throws NOT_FOUND if its site does not exist, and VALIDATION_ERROR. */
export const createLinkType = (
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { siteId, ...type }: NewLinkType,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (!(await lockSite(tx, siteId))) throw notFound('site')
    const id = await insertType(tx, {
      ...columnsOf({ ...type, active: type.active ?? type.status ?? true }),
      site_id: siteId,
      created_at: clock.now(),
    })
    await announceChange(tx, 'destinations')
    return id
  })

/** A link type for the form. @throws NOT_FOUND */
export async function getLinkType({ db }: Pick<Services, 'db'>, typeId: number): Promise<LinkType> {
  const type = await findType(db, typeId)
  if (!type) throw notFound('link type')
  return formOf(type)
}

const formOf = (type: LinkTypeRow): LinkType => ({
  id: type.id,
  siteId: type.site_id,
  typename: type.typename,
  typealias: type.typealias,
  bbrCh: type.bbr_ch,
  url: type.url,
  payout: fromMinorUnits(type.payout_centavos),
  earning: fromMinorUnits(type.earning_cents),
  lpp: type.lpp,
  bonus: type.bonus,
  bonusPayout: fromMinorUnits(type.bonus_payout_centavos),
  bonusEarning: fromMinorUnits(type.bonus_earning_cents),
  bonusLpp: type.bonus_lpp,
  active: type.active,
  version: type.version,
})

/**
 * Updates a link type. Omitted fields are unchanged. Sales keep the amounts they were recorded with.
 *
 * @throws NOT_FOUND, VALIDATION_ERROR, or CONFLICT if it has changed since the form was loaded.
 */
export async function updateLinkType(
  { db }: Pick<Services, 'db'>,
  typeId: number,
  { version, ...change }: LinkTypeChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const type = await lockType(tx, typeId)
    if (!type) throw notFound('link type')
    refuseStale('link type', type.version, version)
    const { active = change.status } = change
    const next = withChange(formOf(type), { ...change, active }, { fixed: ['id', 'siteId'] })
    await updateTypeRow(tx, typeId, columnsOf(next))
    await announceChange(tx, 'destinations')
  })
}

/**
 * Deletes a link type: its links stop working, and its alias becomes available. The row is kept for names in
 * statistics, and for the rates of sales that its clicks still bring. @throws NOT_FOUND
 */
export async function deleteLinkType(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  typeId: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockType(tx, typeId))) throw notFound('link type')
    await updateTypeRow(tx, typeId, { deleted_at: clock.now() })
    await announceChange(tx, 'destinations')
  })
}

/** What the form fills. */
type FormColumn = Exclude<
  keyof LinkTypes,
  'id' | 'version' | 'created_at' | 'deleted_at' | 'site_id'
>

/** Without a bonus, its amounts are not stored. */
const columnsOf = (type: Omit<NewLinkType, 'siteId'> | LinkType) =>
  ({
    typename: type.typename,
    typealias: type.typealias,
    bbr_ch: type.bbrCh,
    url: type.url,
    payout_centavos: minorUnitsOf(type.payout),
    earning_cents: minorUnitsOf(type.earning),
    lpp: type.lpp,
    bonus: type.bonus,
    bonus_payout_centavos: type.bonus ? minorUnitsOf(type.bonusPayout) : 0,
    bonus_earning_cents: type.bonus ? minorUnitsOf(type.bonusEarning) : 0,
    bonus_lpp: type.bonus ? type.bonusLpp : 0,
    active: type.active,
  }) satisfies Record<FormColumn, unknown>
