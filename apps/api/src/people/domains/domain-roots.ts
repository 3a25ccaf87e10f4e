import { hostNameOf } from '@tallyroom/domain/web-origin'
import type { ChangeWatch } from '../../db/changes.ts'
import type { Db } from '../../db/database.ts'
import { findDomainRoots } from './preferred-domains.queries.ts'

/** Where the roots of link domains redirect to, in the memory of this process. */
export type DomainRoots = {
  /** Undefined if the domain is unknown or does not redirect. */
  rootOf(host: string): string | undefined
}

/** Changes take effect within a second in every process. */
export function keepDomainRoots(db: Db, changes: ChangeWatch): DomainRoots {
  let roots = new Map<string, string>()
  changes.keepFresh(['domains'], async () => {
    const rows = await findDomainRoots(db)
    roots = new Map(rows.map(({ domain, root_url }) => [hostNameOf(domain), root_url ?? '']))
  })
  return { rootOf: (host) => roots.get(host) || undefined }
}
