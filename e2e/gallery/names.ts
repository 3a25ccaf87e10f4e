import { join } from 'node:path'
import type { ProductPage } from '../support/pages.ts'

/** The folder of the pictures and their index. */
export const folder = join(import.meta.dirname, '../../docs/gallery')

/** Such as 'stats-sites-as-maria-phone-dark.webp'. Built from the path, so that the names are stable. */
export const pictureOf = (page: ProductPage, screen: string, colorScheme: string): string =>
  `${nameOf(page)}-${screen}-${colorScheme}.webp`

/** Such as 'state-the-command-palette-desktop-light.webp'. */
export const pictureOfState = (name: string, screen: string, colorScheme: string): string =>
  `state-${name.replaceAll(/[^a-z\d]+/gi, '-')}-${screen}-${colorScheme}.webp`

const nameOf = ({ path, account }: ProductPage): string => {
  const address = path
    .replace(/^\/(app\/)?/, '')
    .replaceAll(/[?&](pageSize|siteId|typeId|companyId)=\d+|&agentId=\d+/g, '')
    .replaceAll(/[^a-z\d]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
  return account === undefined || account === 'superadmin' ? address : `${address}-as-${account}`
}
