import { brandEndpoints } from '@tallyroom/contract/brand'
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

/** The brand that this installation wears, as far as it is known. */
export const readBrand = (): Brand => brandOf(stored.get() ?? DEFAULT_BRAND)

/** The same, drawn anew when it changes. */
export const useBrand = (): Brand =>
  brandOf(useSyncExternalStore(stored.subscribe, stored.get) ?? DEFAULT_BRAND)

/**
 * Asks the server for the brand. Resolves at once when this browser has seen it before, so that
 * only the very first visit waits; a change of brand is drawn when the answer is there.
 */
export function loadBrand(): Promise<void> {
  const asked = call(brandEndpoints.brand, {}).then(
    ({ key }) => {
      if (isBrandKey(key) && key !== stored.get()) stored.set(key)
    },
    // Without an answer the last known or the standard look serves; the pages say what fails.
    () => {},
  )
  return stored.get() === null ? asked : Promise.resolve()
}

/** The mark as an image address, for a light or dark ground. */
export const logoUrl = (brand: Brand, ground: 'light' | 'dark') =>
  `data:image/svg+xml,${encodeURIComponent(logoOn(brand, ground))}`
