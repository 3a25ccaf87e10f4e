import type { OfficeItem, OfficesSearch } from '@tallyroom/contract/people/offices'
import type { Viewer } from '../../access/viewer.ts'
import { sightOf } from '../../access/sight.ts'
import type { Services } from '../../services.ts'
import { presentInvitation } from '../accounts/account.ts'
import { passwordColumn } from '../accounts/password-column.ts'
import { type FindsEarnings, readSellers, withFigures } from '../sellers/sellers.ts'
import type { SellerDays, SellerFigures } from '@tallyroom/contract/people/sellers'
import { countOffices, findOfficeRows, type OfficeRow } from './office-list.queries.ts'

type SearchServices = Pick<
  Services,
  'config' | 'db' | 'reportDb' | 'clock' | 'secret' | 'formerSecrets'
> &
  FindsEarnings

/** A page of the offices that the viewer can see, and their total number. */
export async function searchOffices(
  services: SearchServices,
  viewer: Viewer,
  search: OfficesSearch,
): Promise<{ items: OfficeItem[]; total: number; figuresOf?: SellerDays | undefined }> {
  const sight = sightOf(viewer)
  const { rows, figuresOf, total } = await readSellers(
    services,
    viewer,
    search,
    'office_id',
    async (db, sold) => {
      const [found, all] = await Promise.all([
        findOfficeRows(db, sight, search, sold),
        countOffices(db, sight, search.criteria),
      ])
      return { ...(await withFigures(sold, found, ({ companyId }) => companyId)), total: all }
    },
  )
  const passwords = passwordColumn(services)
  return { items: rows.map(present), total, figuresOf }

  function present({
    accountId,
    sealed,
    regTime,
    ...row
  }: OfficeRow & { figures?: SellerFigures }): OfficeItem {
    return {
      ...row,
      ...passwords.show(viewer, accountId, sealed),
      ...presentInvitation(row),
      regTime: regTime.toISOString(),
    }
  }
}
