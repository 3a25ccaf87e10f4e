import type { RequestOf } from '@tallyroom/contract/endpoint'
import type {
  Manual,
  ManualItem,
  siteManualsEndpoints,
} from '@tallyroom/contract/catalogue/manuals'
import { can } from '@tallyroom/domain/abilities'
import { everything, scopeOf } from '../../access/scope.ts'
import type { Viewer } from '../../access/viewer.ts'
import { insertRow, updateRow } from '../../db/rows.queries.ts'
import { inTransaction } from '../../db/transaction.ts'
import { invalid, notFound } from '../../errors.ts'
import { refuseStale, requiredRichTextToStore, withChange } from '../../forms.ts'
import type { Services } from '../../services.ts'
import { lockSite } from '../sites/site-form.queries.ts'
import {
  deleteManualRow,
  findManual,
  findManuals,
  findSitesWithoutManual,
  lockManual,
  type ManualOrder,
  type ManualSight,
} from './site-manuals.queries.ts'

type NewManual = RequestOf<typeof siteManualsEndpoints.createSiteManual>['body']
type ManualChange = RequestOf<typeof siteManualsEndpoints.updateSiteManual>['body']

/** The manuals that the viewer may read, without their texts. */
export const listManuals = (
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  order: ManualOrder,
): Promise<ManualItem[]> => findManuals(db, sightOfManuals(viewer), order)

/** @throws NOT_FOUND, also for the manual of a site that the viewer may not sell. */
export async function getManual(
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  id: number,
): Promise<Manual> {
  const manual = await findManual(db, sightOfManuals(viewer), id)
  if (!manual) throw notFound('manual')
  return manual
}

/** For the form of a new manual: a site has at most one. */
export const listSitesWithoutManual = ({ db }: Pick<Services, 'db'>) => findSitesWithoutManual(db)

export async function createManual(
  { db }: Pick<Services, 'db'>,
  { siteId, title, html }: NewManual,
): Promise<number> {
  const stored = requiredRichTextToStore(html)
  return inTransaction(db, async (tx) => {
    if (!(await lockSite(tx, siteId))) throw invalid({ siteId: ['does not exist'] })
    return insertRow(tx, 'site_manuals', {
      site_id: siteId,
      title,
      html: stored,
      updated_at: tx.now,
    })
  })
}

/** @throws NOT_FOUND, or CONFLICT if it has changed since the form was loaded. */
export async function updateManual(
  { db }: Pick<Services, 'db'>,
  id: number,
  change: ManualChange,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockManual(tx, id)
    const manual = await findManual(tx, { scope: everything(), withUnavailable: true }, id)
    if (!manual) throw notFound('manual')
    refuseStale('manual', manual.version, change.version)
    const { title, html } = withChange(manual, change, { fixed: ['id', 'siteId', 'sitename'] })
    const stored = requiredRichTextToStore(html)
    await updateRow(tx, 'site_manuals', id, { title, html: stored, updated_at: tx.now })
  })
}

/** @throws NOT_FOUND */
export async function deleteManual({ db }: Pick<Services, 'db'>, id: number): Promise<void> {
  if (!(await deleteManualRow(db, id))) throw notFound('manual')
}

/** Editors also see the manuals of suspended and hidden sites. */
const sightOfManuals = (viewer: Viewer): ManualSight => ({
  scope: scopeOf(viewer),
  withUnavailable: can(viewer, 'manuals.manage'),
})
