import { join } from 'node:path'
import type { ProductPage } from '../support/pages.ts'

/** What docs/gallery shows. */
const SHOWN: ReadonlySet<string> = new Set([
  'home',
  'home-as-maria',
  'links-links-as-manila',
  'logs-sale-logs',
  'pay-runs-1',
  'pay-statements-6-as-maria',
  'state-the-command-palette',
  'stats-office-performance-chart',
  'stats-sites',
  'stats-sites-payout',
])

const takesAll = process.env['GALLERY'] === 'all'

/** The folder of the pictures and their index. */
export const folder = join(
  import.meta.dirname,
  takesAll ? '../../.cache/gallery' : '../../docs/gallery',
)

export const isTaken = (name: string): boolean => takesAll || SHOWN.has(name)

/** Such as 'stats-sites-phone-dark.webp'. */
export const pictureOf = (name: string, screen: string, colorScheme: string): string =>
  `${name}-${screen}-${colorScheme}.webp`

/** Such as 'state-the-command-palette'. */
export const nameOfState = (name: string): string => `state-${name.replaceAll(/[^a-z\d]+/gi, '-')}`

/** Such as 'stats-sites-as-maria'. Built from the path, so that the names are stable. */
export const nameOf = ({ path, account }: ProductPage): string => {
  const address = path
    .replace(/^\/(app\/)?/, '')
    .replaceAll(/[?&](pageSize|siteId|typeId|companyId)=\d+|&agentId=\d+/g, '')
    .replaceAll(/[^a-z\d]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
  return account === undefined || account === 'superadmin' ? address : `${address}-as-${account}`
}
