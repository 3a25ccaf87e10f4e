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
export function keepDomainRoots(db: Db, changes: Pick<ChangeWatch, 'keepFresh'>): DomainRoots {
  let roots = new Map<string, string>()
  changes.keepFresh(['domains'], async () => {
    const found = rootsOf(await findDomainRoots(db))
    // Stored before loops were refused, or by two people at once: the brand's page ends them.
    roots = new Map([...found].filter(([host]) => !findLoop(found, host)))
  })
  return { rootOf: (host) => roots.get(host) || undefined }
}

/**
 * Where the roots of domains redirect to, by host name: as the parser reads it that judged it, since a browser would read
 * `https:example.com` as a path of the domain.
 */
export const rootsOf = (
  domains: readonly { domain: string; rootUrl: string | null }[],
): Map<string, string> =>
  new Map(
    domains.map(({ domain, rootUrl }) => [
      hostNameOf(domain),
      URL.parse(rootUrl ?? '')?.href ?? '',
    ]),
  )

/** The host names through which the root of a domain leads back to it. Undefined if it does not. */
export function findLoop(roots: ReadonlyMap<string, string>, host: string): string[] | undefined {
  const passed = [host]
  let to = roots.get(host)
  // Only a root redirects: other paths of a link domain have pages of their own.
  while (to && new URL(to).pathname === '/') {
    const next = hostNameOf(to)
    if (next === host) return [...passed, next]
    // A loop of others.
    if (passed.includes(next)) return undefined
    passed.push(next)
    to = roots.get(next)
  }
  return undefined
}
