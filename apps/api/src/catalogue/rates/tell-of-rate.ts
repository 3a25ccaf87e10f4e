import type { Viewer } from '../../access/viewer.ts'
import type { Tx } from '../../db/database.ts'
import { writeFacts } from '../../notices/index.ts'

/** Writes that rates of a link type change at `from`: an office's own, or without an office the default ones. */
export async function tellOfRate(
  tx: Tx,
  { accountId }: Viewer,
  { typeId, officeId, from, at }: { typeId: number; officeId: number | null; from: Date; at: Date },
): Promise<void> {
  const { siteId, sitename, typename } = await tx
    .selectFrom('link_types as type')
    .innerJoin('sites as site', 'site.id', 'type.site_id')
    .select(['site.id as siteId', 'site.sitename', 'type.typename'])
    .where('type.id', '=', typeId)
    .executeTakeFirstOrThrow()
  const office =
    officeId === null
      ? undefined
      : await tx.selectFrom('offices').select('name').where('id', '=', officeId).executeTakeFirst()
  const subject = {
    siteId,
    typeId,
    name: `${sitename} ${typename}`,
    office: office?.name ?? null,
    from: from.toISOString(),
  }
  await writeFacts(
    tx,
    [{ kind: 'rate.changed', of: officeId === null ? 'network' : { officeId }, subject }],
    { at, byAccountId: accountId },
  )
}
