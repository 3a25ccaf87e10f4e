import { hostNameOf } from '@tallyroom/domain/web-origin'
import type { DbOrTx } from '../../db/database.ts'
import type { Services } from '../../services.ts'

/** Whether a web address is on a domain of links, and of nothing else: there, every other page leads nowhere. */
export async function isLinkDomain(
  db: DbOrTx,
  { backOfficeHosts, publicUrl }: Services['config'],
  url: string,
): Promise<boolean> {
  const host = hostNameOf(url)
  const office = backOfficeHosts === 'any' ? [] : backOfficeHosts
  if ([hostNameOf(publicUrl), ...office].includes(host)) return false
  const rows = await db.selectFrom('preferred_domains').select('domain').execute()
  return rows.some(({ domain }) => URL.canParse(domain) && hostNameOf(domain) === host)
}

/** Whether a web address leads to this installation: to its back office, or to one of its link domains. */
export async function isOwnAddress(
  db: DbOrTx,
  { backOfficeHosts, publicUrl }: Services['config'],
  url: string,
): Promise<boolean> {
  const host = new URL(url).host.replace(/\.(?=:|$)/, '')
  if (host === new URL(publicUrl).host) return true
  const rows = await db.selectFrom('preferred_domains').select('domain').execute()
  const links = rows.map(({ domain }) => URL.parse(domain)?.hostname ?? '')
  const office = backOfficeHosts === 'any' ? [] : backOfficeHosts
  return [...office, ...links].includes(hostNameOf(url))
}
