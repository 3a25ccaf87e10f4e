import type { OfficeItem, OfficesSearch } from '@tallyroom/contract/people/offices'
import type { Viewer } from '../../access/viewer.ts'
import { sightOf } from '../../access/sight.ts'
import type { Services } from '../../services.ts'
import { passwordColumn } from '../accounts/password-column.ts'
import { countOffices, findOfficeRows, type OfficeRow } from './office-list.queries.ts'

type SearchServices = Pick<Services, 'config' | 'db' | 'secret' | 'formerSecrets'>

/** A page of the offices that the viewer can see, and their total number. */
export async function searchOffices(
  services: SearchServices,
  viewer: Viewer,
  search: OfficesSearch,
): Promise<{ items: OfficeItem[]; total: number }> {
  const sight = sightOf(viewer)
  const [rows, total] = await Promise.all([
    findOfficeRows(services.db, sight, search),
    countOffices(services.db, sight, search.criteria),
  ])
  const passwords = passwordColumn(services)
  return { items: rows.map(present), total }

  function present({ accountId, sealed, regTime, ...row }: OfficeRow): OfficeItem {
    return {
      ...row,
      ...passwords.show(viewer, accountId, sealed),
      regTime: regTime.toISOString(),
    }
  }
}
