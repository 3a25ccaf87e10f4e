import { siteLabels } from '@tallyroom/contract/catalogue/labels'
import type { decidingFields } from '@tallyroom/contract/effects'
import { isDeepStrictEqual } from 'node:util'
import type { DbOrTx } from '../../db/database.ts'
import { decidingColumns } from '../../db/tables-of-pay.ts'
import { findSiteTerms } from './former-flags.queries.ts'

/** Which fields changes of sites changed, as the form calls them, by the row of `former_site_flags` that each has left. */
export async function findChangedFields(
  db: DbOrTx,
  formerIds: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  if (formerIds.length === 0) return new Map()
  const bySite = Map.groupBy(await findSiteTerms(db, formerIds), ({ site_id }) => site_id)
  return new Map(
    [...bySite.values()].flatMap((terms) =>
      terms.slice(0, -1).map((before, index) => {
        const after = terms[index + 1]
        const changed = [...columns].filter(([column]) => {
          const [was, is] = [before[column], after?.[column]]
          // Null: from before it was kept.
          return was !== null && is !== null && !isDeepStrictEqual(was, is)
        })
        return [before.former_id ?? 0, changed.map(([, field]) => siteLabels[field])] as const
      }),
    ),
  )
}

type Column = Exclude<
  keyof Awaited<ReturnType<typeof findSiteTerms>>[number],
  'site_id' | 'former_id'
>

/** The columns that decide pay, with their fields. */
// `decidingColumns` derives the names of columns from those of fields.
const columns = decidingColumns.get('sites') as ReadonlyMap<
  Column,
  keyof (typeof decidingFields)['site']
>
