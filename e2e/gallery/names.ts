import { join } from 'node:path'
import type { ProductPage } from '../support/pages.ts'

/** Where the pictures are, and their index. */
export const folder = join(import.meta.dirname, '../../docs/gallery')

/** 'sites-statistics-as-maria-phone-dark.webp' and the like: by the address, so that a page keeps its pictures' names. */
export const pictureOf = (page: ProductPage, screen: string, colorScheme: string): string =>
  `${nameOf(page)}-${screen}-${colorScheme}.webp`

const nameOf = ({ path, account }: ProductPage): string => {
  const address = path
    .replace(/^\/(app\/)?/, '')
    .replaceAll(/[?&](pageSize|siteId|typeId|companyId|agentId)=\d+/g, '')
    .replaceAll(/[^a-z\d]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
  return account === undefined || account === 'superadmin' ? address : `${address}-as-${account}`
}
