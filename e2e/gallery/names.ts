import { join } from 'node:path'
import type { ProductPage } from '../support/pages.ts'

/** The folder of the pictures and their index. */
export const folder = join(import.meta.dirname, '../../docs/gallery')

/** Such as 'stats-sites-as-maria-phone-dark.webp'. Built from the path, so that the names are stable. */
export const pictureOf = (page: ProductPage, screen: string, colorScheme: string): string =>
  `${nameOf(page)}-${screen}-${colorScheme}.webp`

/** Whether a page has pictures. The tabs of offices, agents and sites are mostly lists that have pictures of their own. */
export const isShown = ({ path }: ProductPage): boolean =>
  !/^\/app\/(offices|agents|sites)\/1\/(agents|sales|clicks|links|sites|sign-ins|statements)/.test(
    path,
  )

/** Every page in light and dark on a phone; on a desktop, in the dark only what has charts and boards. */
export const schemesOf = ({ path }: ProductPage, screen: string) =>
  screen === 'phone' || /^\/app\/(home|stats)/.test(path)
    ? (['light', 'dark'] as const)
    : (['light'] as const)

const nameOf = ({ path, account }: ProductPage): string => {
  const address = path
    .replace(/^\/(app\/)?/, '')
    .replaceAll(/[?&](pageSize|siteId|typeId|companyId)=\d+|&agentId=\d+/g, '')
    .replaceAll(/[^a-z\d]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
  return account === undefined || account === 'superadmin' ? address : `${address}-as-${account}`
}
