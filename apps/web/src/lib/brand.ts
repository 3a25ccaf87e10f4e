import { brandEndpoints } from '@tallyroom/contract/operate/brand'
import {
  brandOf,
  DEFAULT_BRAND,
  isBrandKey,
  logoOn,
  type Brand,
  type BrandKey,
} from '@tallyroom/domain/brands/index'
import { useSyncExternalStore } from 'react'
import { call } from './call.ts'
import { storedValue } from './stored.ts'

const stored = storedValue<BrandKey>('tallyroom.brand', (text) => {
  const key: unknown = JSON.parse(text)
  return typeof key === 'string' && isBrandKey(key) ? key : null
})

/** The server writes it into its page. The development server has none. */
const { brand: given = '' } = document.documentElement.dataset
if (isBrandKey(given) && given !== stored.get()) stored.set(given)

/** The installation's brand, or the default until it is known. */
export const readBrand = (): Brand => brandOf(stored.get() ?? DEFAULT_BRAND)

/** {@link readBrand} as a hook. */
export const useBrand = (): Brand =>
  brandOf(useSyncExternalStore(stored.subscribe, stored.get) ?? DEFAULT_BRAND)

/**
 * Fetches the brand, unless the page named it. Resolves at once if this browser has stored one. A changed brand is applied
 * when the response arrives.
 */
export function loadBrand(): Promise<void> {
  if (isBrandKey(given)) return Promise.resolve()
  const asked = call(brandEndpoints.brand, {}).then(
    ({ key }) => {
      if (isBrandKey(key) && key !== stored.get()) stored.set(key)
    },
    // On failure, keep the stored or default brand. Pages report their own failures.
    () => {},
  )
  return stored.get() === null ? asked : Promise.resolve()
}

/** The logo as a data URL, for a light or dark background. */
export const logoUrl = (brand: Brand, ground: 'light' | 'dark') =>
  `data:image/svg+xml,${encodeURIComponent(logoOn(brand, ground))}`
