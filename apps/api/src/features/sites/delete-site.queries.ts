import type { Tx } from '../../db/database.ts'

/**
 * Marks a site and its link types as deleted: clicks, sales and statistics name them for ever. What only the
 * living site needed is gone: who may sell it, its manual, and the keys of its merchant.
 */
export async function deleteSiteRows(tx: Tx, siteId: number, at: Date): Promise<void> {
  for (const table of ['office_sites', 'agent_sites_off', 'site_manuals', 'site_keys'] as const) {
    await tx.deleteFrom(table).where('site_id', '=', siteId).execute()
  }
  await tx
    .updateTable('link_types')
    .set((type) => ({ deleted_at: at, version: type('version', '+', 1) }))
    .where('site_id', '=', siteId)
    .where('deleted_at', 'is', null)
    .execute()
  await tx
    .updateTable('sites')
    .set((site) => ({ deleted_at: at, version: site('version', '+', 1) }))
    .where('id', '=', siteId)
    .execute()
}
