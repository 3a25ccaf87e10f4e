import type { LinkType, linkTypesEndpoints } from '@tallyroom/contract/catalogue/link-types'
import type { RequestOf } from '@tallyroom/contract/endpoint'
import { fromMinorUnits, minorUnitsOf } from '@tallyroom/domain/money'
import { findShortLink } from '@tallyroom/domain/short-link'
import { parseTrackedLink } from '@tallyroom/domain/tracked-link'
import { isDeepStrictEqual } from 'node:util'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { insertRow, updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { LinkTypes } from '../../db/types.ts'
import { invalid, notFound } from '../../errors.ts'
import { changedColumns, refuseStale, withChange } from '../../forms.ts'
import { isLinkDomain, isOwnAddress } from '../../people/index.ts'
import { sealRows } from '../../seals/index.ts'
import type { Services } from '../../services.ts'
import { tellOfRate } from '../rates/tell-of-rate.ts'
import { addPrepared, comingMidnight } from '../rates/prepare-rates.ts'
import { changeBonus } from '../sites/former-flags.queries.ts'
import { addRate, type FeeColumns, lockRates } from '../rates/office-fees.queries.ts'
import { lockSite } from '../sites/site-form.queries.ts'
import { findType, findTypesById, type LinkTypeRow } from './link-types.queries.ts'

type NewLinkType = RequestOf<typeof linkTypesEndpoints.createLinkType>['body']
type LinkTypeChange = RequestOf<typeof linkTypesEndpoints.updateLinkType>['body']

/** Creates a link type. @throws NOT_FOUND if its site does not exist, and VALIDATION_ERROR. */
export const createLinkType = (
  { db, config }: Pick<Services, 'db' | 'config'>,
  viewer: Viewer,
  { siteId, ...type }: NewLinkType,
): Promise<number> =>
  inTransaction(db, async (tx) => {
    if (!(await lockSite(tx, siteId))) throw notFound('site')
    await refuseOwnAddress(tx, config, type.url)
    const id = await insertRow(tx, 'link_types', {
      ...columnsOf({ ...type, active: type.active ?? type.status ?? true }),
      site_id: siteId,
      created_at: tx.now,
    })
    await sealRows(tx, 'link_types', { id })
    await addRate(tx, {
      ...ratesOf(type),
      typeId: id,
      officeId: null,
      validFrom: null,
      added: { at: tx.now, by: viewer },
    })
    await announceChange(tx, 'destinations')
    return id
  })

/** A visitor would be sent from link to link, each a click, and maybe for ever; or to a page that leads nowhere. */
async function refuseOwnAddress(tx: Tx, config: Services['config'], url: string): Promise<void> {
  // Its ids may be macros.
  const filled = url.replaceAll(/\{\w{1,20}\}/g, '1')
  const isLink =
    parseTrackedLink(filled) !== undefined ||
    findShortLink(URL.parse(filled)?.pathname ?? '') !== undefined
  if (isLink && (await isOwnAddress(tx, config, url)))
    throw invalid({ url: ['is one of your own tracked links. Enter the page that it leads to'] })
  if (await isLinkDomain(tx, config, url))
    throw invalid({ url: ['is on a domain of your links. Enter the page of the merchant'] })
}

/** A link type for the form. @throws NOT_FOUND */
export async function getLinkType(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  typeId: number,
): Promise<LinkType> {
  const type = await findType(db, typeId, clock.now())
  if (!type) throw notFound('link type')
  return formOf(type)
}

/** The forms of these link types, with the rates in force now. Those that do not exist are left out. */
export const findLinkTypeForms = async (
  db: DbOrTx,
  typeIds: readonly number[],
  now: Date,
): Promise<LinkType[]> => (await findTypesById(db, typeIds, now)).map(formOf)

const formOf = (type: LinkTypeRow): LinkType => ({
  id: type.id,
  siteId: type.site_id,
  typename: type.typename,
  typealias: type.typealias,
  bbrCh: type.bbr_ch,
  url: type.url,
  forwardParams: type.forward_params,
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
 * Updates a link type. Omitted fields are unchanged. Changed rates apply to sales from now on,
 * until the next prepared change. With `validFrom`, the rates are prepared for that day, and the
 * rest applies from now on.
 * @throws NOT_FOUND, VALIDATION_ERROR, or CONFLICT if it has changed since the form was loaded.
 */
export async function updateLinkType(
  { db, config }: Pick<Services, 'db' | 'config'>,
  viewer: Viewer,
  typeId: number,
  { validFrom: day, version, ...change }: LinkTypeChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockRates(tx, typeId)
    const now = tx.now
    const type = await findType(tx, typeId, day === undefined ? now : comingMidnight(day, now))
    if (!type) throw notFound('link type')
    refuseStale('link type', type.version, version)
    const { active = change.status } = change
    const next = withChange(formOf(type), { ...change, active }, { fixed: ['id', 'siteId'] })
    if (next.url !== type.url) await refuseOwnAddress(tx, config, next.url)
    const save = () =>
      updateRow(tx, 'link_types', typeId, changedColumns(columnsOf(formOf(type)), columnsOf(next)))
    if (next.bonus === type.bonus) await save()
    else await changeBonus(tx, { typeId, bonus: type.bonus }, { at: now, by: viewer }, save)
    const isOther = !isDeepStrictEqual(ratesOf(next), ratesOf(formOf(type)))
    if (day !== undefined) {
      if (!isOther) throw invalid({ validFrom: ['is only for changed rates. Change one'] })
      if (type.bonus && !next.bonus) throw invalid({ bonus: [BONUS_HAS_NO_DATE] })
      await addPrepared(tx, viewer, { typeId, officeId: null, day, given: ratesOf(next) }, now)
    } else if (isOther) {
      await addRate(tx, {
        ...ratesOf(next),
        typeId,
        officeId: null,
        validFrom: now,
        added: { at: now, by: viewer },
      })
      await tellOfRate(tx, viewer, { typeId, officeId: null, from: now, at: now })
    }
    await announceChange(tx, 'destinations')
  })
}

const BONUS_HAS_NO_DATE =
  'can only be switched off from now on. To pay no bonus from a day on, enter 0'

/**
 * Deletes a link type: its links stop working, and its alias becomes available. The row is kept for names in
 * statistics, and for the rates of sales that its clicks still bring. @throws NOT_FOUND
 */
export async function deleteLinkType({ db }: Pick<Services, 'db'>, typeId: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockRates(tx, typeId)
    const now = tx.now
    if (!(await findType(tx, typeId, now))) throw notFound('link type')
    await updateRow(tx, 'link_types', typeId, { deleted_at: now })
    await announceChange(tx, 'destinations')
  })
}

/** What the form prefills. */
type FormColumn = Exclude<
  keyof LinkTypes,
  'id' | 'version' | 'created_at' | 'deleted_at' | 'site_id' | 'backdated'
>

const columnsOf = (type: Omit<NewLinkType, 'siteId'> | LinkType) =>
  ({
    typename: type.typename,
    typealias: type.typealias,
    bbr_ch: type.bbrCh,
    url: type.url,
    forward_params: type.forwardParams,
    bonus: type.bonus,
    active: type.active,
  }) satisfies Record<FormColumn, unknown>

/** Without a bonus, its amounts are not stored. */
const ratesOf = (
  type: Omit<NewLinkType, 'siteId' | 'active' | 'status'> | LinkType,
): FeeColumns => ({
  payout_centavos: minorUnitsOf(type.payout),
  earning_cents: minorUnitsOf(type.earning),
  lpp: type.lpp,
  bonus_payout_centavos: type.bonus ? minorUnitsOf(type.bonusPayout) : 0,
  bonus_earning_cents: type.bonus ? minorUnitsOf(type.bonusEarning) : 0,
  bonus_lpp: type.bonus ? type.bonusLpp : 0,
})
