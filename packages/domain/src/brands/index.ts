import { copperleaf } from './copperleaf.ts'
import { harborline } from './harborline.ts'
import { northlane } from './northlane.ts'
import { plumfield } from './plumfield.ts'
import { saltmarsh } from './saltmarsh.ts'
import { tallyroom } from './tallyroom.ts'
import type { Brand } from './brand.ts'

export type { Brand, BrandFlags, BrandPalette, ShadeIndex, Shades } from './brand.ts'

export type BrandKey = keyof typeof brands

/** The six fixed brands. The configuration selects one. */
export const brands = {
  tallyroom,
  harborline,
  copperleaf,
  northlane,
  plumfield,
  saltmarsh,
} as const satisfies Record<string, Brand>

export const DEFAULT_BRAND: BrandKey = 'tallyroom'

export const brandOf = (key: BrandKey): Brand => brands[key]

/** The brand's name as a token of HTTP, for headers, which take neither blanks nor letters beyond ASCII. */
export const headerNameOf = ({ name, key }: Pick<Brand, 'name' | 'key'>): string =>
  name.normalize('NFKD').replaceAll(/[^\w-]/g, '') || key

/** The brand's logo for a light or dark background. On dark, its main colour is one shade lighter. */
export const logoOn = (
  { logo, palette: { shades } }: Pick<Brand, 'logo' | 'palette'>,
  ground: 'light' | 'dark',
): string => (ground === 'dark' ? logo.replaceAll(shades[6], shades[5]) : logo)

export const isBrandKey = (key: string): key is BrandKey => Object.hasOwn(brands, key)

export const BRAND_KEYS: readonly BrandKey[] = Object.keys(brands).filter(isBrandKey)
