import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../db/database.ts'

export type SiteRow = {
  id: number
  clickParam: string
  transactionIdIsClick: boolean
  alwaysOkText: string | null
  eventWords: unknown
  statusWords: unknown
  wordReadings: unknown
  tracker: string
  useApproveSale: boolean
  hasPending: boolean
  hadPending: boolean
  severalProducts: boolean
  countsForDays: number
  partRule: string
  couponWins: boolean
  hasCoupons: boolean
}

export type SealedKey = { id: number; siteId: number; sealed: Buffer }

/** All sites that merchants may report to, including suspended and hidden ones, because of earlier clicks. */
export const findSites = (db: DbOrTx): Promise<SiteRow[]> =>
  db
    .selectFrom('sites')
    .select([
      'id',
      'click_param as clickParam',
      'transaction_id_is_click as transactionIdIsClick',
      'always_ok_text as alwaysOkText',
      'event_words as eventWords',
      'status_words as statusWords',
      'word_readings as wordReadings',
      'tracker',
      'use_approve_sale as useApproveSale',
      'several_products as severalProducts',
      'counts_for_days as countsForDays',
      'part_rule as partRule',
      'coupon_wins as couponWins',
      (eb) =>
        eb
          .exists(
            eb
              .selectFrom('coupons as coupon')
              .select('coupon.id')
              .whereRef('coupon.site_id', '=', 'sites.id'),
          )
          .$castTo<boolean>()
          .as('hasCoupons'),
      (eb) =>
        eb
          .exists(
            eb
              .selectFrom('pending_postbacks as pending')
              .select('pending.postback_id')
              .whereRef('pending.site_id', '=', 'sites.id'),
          )
          .$castTo<boolean>()
          .as('hasPending'),
      (eb) =>
        eb
          .exists(
            eb
              .selectFrom('postbacks as postback')
              .select('postback.id')
              .whereRef('postback.site_id', '=', 'sites.id')
              .where('postback.outcome', '=', 'pending'),
          )
          .$castTo<boolean>()
          .as('hadPending'),
    ])
    .where('deleted_at', 'is', null)
    .execute()

/** The active keys of one site or all, newest first. */
export function findLiveKeys(db: DbOrTx, siteId?: number): Promise<SealedKey[]> {
  const keys = db
    .selectFrom('site_keys')
    .select(['id', 'site_id as siteId', 'key_sealed as sealed'])
    .where('retired_at', 'is', null)
    .orderBy('site_id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return (siteId === undefined ? keys : keys.where('site_id', '=', siteId)).execute()
}

/** The active keys that do not start with `head`, so were not encrypted with that secret. */
export const findKeysSealedOtherwise = (tx: Tx, head: Buffer): Promise<SealedKey[]> =>
  tx
    .selectFrom('site_keys')
    .select(['id', 'site_id as siteId', 'key_sealed as sealed'])
    .where('retired_at', 'is', null)
    .where(sql<boolean>`substring(key_sealed from 1 for ${head.length}) <> ${head}`)
    .forNoKeyUpdate()
    .execute()

export async function updateSealedKey(tx: Tx, id: number, sealed: Buffer): Promise<void> {
  await tx.updateTable('site_keys').set({ key_sealed: sealed }).where('id', '=', id).execute()
}

export async function retireKeys(tx: Tx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.updateTable('site_keys').set({ retired_at: at }).where('id', 'in', ids).execute()
}
